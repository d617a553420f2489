import { describe, expect, it } from 'vitest';
import { checkConfig } from '../../../src/step/doctor/check-config.js';
import { makeFolder } from '../../fixtures/cli/support.js';

describe('a configuration', () => {
  it('is fine if all values are valid', () => {
    const workingDir = makeFolder({ 'sub/x': '' });
    const input = { working_dir: workingDir, includeDirectories: ['sub'] };
    expect(checkConfig(input, [])).toMatchObject({
      workingDir,
      config: { workingDir },
      findings: [{ check: 'configuration', status: 'ok' }],
    });
  });

  it('uses the current directory if it names none', () => {
    expect(checkConfig({}, []).workingDir).toBe(process.cwd());
    const { findings } = checkConfig({ includeDirectories: ['no-such-folder'] }, []);
    expect(findings).toMatchObject([{ status: 'problem' }]);
  });

  it('is reported with every problem and gets defaults for invalid values', () => {
    const input = {
      timeout: 'long',
      env: { A: 5 },
      model: 'flash',
      cliPath: 'a',
      cli_path: 'b',
      modle: 'x',
      workingDir: '/no/such/folder',
    };
    const known = [{ key: 'config', value: '/f.yaml', problem: 'is not there' }];
    const { config, workingDir, findings } = checkConfig(input, known);
    expect(config).toMatchObject({ timeoutMs: 600_000, env: {}, model: 'flash' });
    expect(workingDir).toBe('/no/such/folder');
    expect(findings.map(({ status, message }) => `${status} ${message}`)).toEqual([
      'note Unknown key "modle". Did you mean "model"?',
      'problem Invalid configuration: config = "/f.yaml": is not there',
      expect.stringMatching(/^problem .*cliPath = "b": is given in both spellings$/),
      expect.stringMatching(/^problem .*timeout = "long"/),
      expect.stringMatching(/^problem .*env\.A = "\(hidden\)"/),
      expect.stringMatching(/^problem .*workingDir = "\/no\/such\/folder": does not exist$/),
    ]);
    expect(findings.at(-1)?.fix).toMatch(/^Correct workingDir\. Example: /);
  });
});
