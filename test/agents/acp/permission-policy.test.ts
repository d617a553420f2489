import { describe, expect, it } from 'vitest';
import { geminiProfile } from '../../../src/agents/acp/gemini-profile.js';
import { createGenericProfile } from '../../../src/agents/acp/generic-profile.js';
import {
  chooseOption,
  decideByRules,
  decidePermission,
  decisionOf,
  type PermissionSettings,
} from '../../../src/agents/acp/permission-policy.js';
import type { OnPermission } from '../../../src/api/permission.js';
import { parseAllowedTools, parseToolRules } from '../../../src/config/tool-rule.js';

const agent = createGenericProfile('Agent');
const MODES = ['default', 'plan', 'auto_edit', 'yolo'] as const;

interface Rules {
  readonly mode?: PermissionSettings['approvalMode'];
  readonly allowed?: readonly string[];
  readonly denied?: readonly string[];
}

function settings({ mode = 'default', allowed = [], denied = [] }: Rules): PermissionSettings {
  return {
    approvalMode: mode,
    allowedTools: parseToolRules(allowed),
    deniedTools: parseToolRules(denied),
    onPermission: undefined,
    permissionTimeoutMs: 1000,
    unattended: 'reject',
  };
}

function ask(toolName: string, kind: Parameters<typeof agent.toolCategory>[1], command?: unknown) {
  return {
    sessionId: 's',
    callId: 'c',
    toolName,
    kind,
    title: toolName,
    input: command === undefined ? {} : { command },
    locations: [],
    content: [],
    options: [],
  };
}

const shell = (command?: unknown) => ask('run_shell_command', 'execute', command);

describe('a request without a rule', () => {
  it.each([
    ['read', 'default plan auto_edit yolo'],
    ['search', 'default plan auto_edit yolo'],
    ['think', 'default plan auto_edit yolo'],
    ['edit', 'auto_edit yolo'],
    ['delete', 'auto_edit yolo'],
    ['move', 'auto_edit yolo'],
    ['execute', 'yolo'],
    ['fetch', 'yolo'],
    ['browse', 'yolo'],
    ['ask', 'yolo'],
    ['memory', 'yolo'],
    ['mcp', 'yolo'],
    ['other', 'yolo'],
  ] as const)('of the kind %s is allowed in the modes %s', (kind, modes) => {
    const allowing = MODES.filter((mode) => {
      return decideByRules(ask('Some tool', kind), settings({ mode }), agent) === 'allow_once';
    });
    expect(allowing.join(' ')).toBe(modes);
  });

  it.each([
    ['read_file', 'read', 'default plan auto_edit yolo'],
    ['write_file', 'edit', 'auto_edit yolo'],
    ['replace', 'edit', 'auto_edit yolo'],
    ['run_shell_command', 'execute', 'yolo'],
    ['exit_plan_mode', 'think', 'plan yolo'],
    ['ask_user', 'ask', ''],
    // Tools that the CLI does not define are allowed in yolo only, whatever kind they claim.
    ['mcp_server_tool', 'read', 'yolo'],
    ['made_up', 'read', 'yolo'],
  ] as const)('of the Gemini tool %s (%s) is allowed in the modes %s', (tool, kind, modes) => {
    const allowing = MODES.filter((mode) => {
      return decideByRules(ask(tool, kind), settings({ mode }), geminiProfile) === 'allow_once';
    });
    expect(allowing.join(' ')).toBe(modes);
  });
});

describe('a rule', () => {
  it.each([
    ['the name of the tool', ['fetch_page']],
    ['a part of the name', ['fetch_*']],
    ['the kind', ['fetch']],
    ['everything', ['*']],
  ])('may name %s', (_what, rules) => {
    for (const profile of [agent, geminiProfile]) {
      const request = ask('fetch_page', 'fetch');
      expect(decideByRules(request, settings({ allowed: rules }), profile)).toBe('allow_once');
      const denied = settings({ mode: 'yolo', denied: rules, allowed: rules });
      expect(decideByRules(request, denied, profile)).toBe('reject');
    }
  });

  it.each([['fetch_pag'], ['etch_page'], ['fetch.page'], ['edit']])(
    'for %s does not match fetch_page',
    (rule) => {
      const request = ask('fetch_page', 'fetch');
      expect(decideByRules(request, settings({ allowed: [rule] }), agent)).toBe('reject');
      expect(decideByRules(request, settings({ mode: 'yolo', denied: [rule] }), agent)).toBe(
        'allow_once',
      );
    },
  );

  it('for everything matches a tool whose title has several lines', () => {
    const request = ask('cat <<END\nrm -rf /\nEND', 'execute');
    const denied = settings({ mode: 'yolo', denied: ['*'] });
    expect(decideByRules(request, denied, agent)).toBe('reject');
  });

  it('for run_shell_command matches every tool that runs commands, whatever its name is', () => {
    const request = ask('Run tests', 'execute', 'npm test');
    const denied = settings({ mode: 'yolo', denied: ['run_shell_command'] });
    expect(decideByRules(request, denied, agent)).toBe('reject');
    const allowed = settings({ allowed: ['run_shell_command(npm test)'] });
    expect(decideByRules(request, allowed, agent)).toBe('allow_once');
    const other = ask('Run tests', 'execute', 'npm test; rm x');
    expect(decideByRules(other, allowed, agent)).toBe('reject');
    expect(decideByRules(ask('run_tests', 'edit'), allowed, agent)).toBe('reject');
  });

  describe('for the first words of a command', () => {
    const allowed = settings({ allowed: ['run_shell_command(npm test)'] });

    it.each(['npm test', 'npm test --silent', 'npm test src/a.ts'])('allows %s', (command) => {
      expect(decideByRules(shell(command), allowed, agent)).toBe('allow_once');
    });

    it.each([
      'npm tests',
      'npm',
      'echo npm test',
      ' npm test',
      'npm test; rm -rf /',
      'npm test && rm -rf /',
      'npm test || true',
      'npm test | sh',
      'npm test & rm x',
      'npm test > /etc/passwd',
      'npm test < secret',
      'npm test `id`',
      'npm test $(id)',
      'npm test $HOME',
      'npm test\nrm x',
      'npm test\rrm x',
      'npm test (x)',
      'npm test \\; x',
      undefined,
      7,
      ['npm test'],
    ])('does not allow %j', (command) => {
      expect(decideByRules(shell(command), allowed, agent)).toBe('reject');
    });

    it('does not allow a request of an agent that applies such rules itself', () => {
      expect(decideByRules(shell('npm test'), allowed, geminiProfile)).toBe('reject');
    });

    it.each(['rm x', 'cd / && rm x', 'sudo rm', undefined, ['rm']])(
      'in deniedTools refuses %j, but not ls',
      (command) => {
        const denied = settings({ mode: 'yolo', denied: ['run_shell_command(rm)'] });
        for (const profile of [agent, geminiProfile]) {
          expect(decideByRules(shell(command), denied, profile)).toBe('reject');
          expect(decideByRules(shell('ls'), denied, profile)).toBe('allow_once');
        }
      },
    );
  });
});

describe('onPermission', () => {
  const request = ask('write_file', 'edit');
  const decide = (onPermission: OnPermission, permissionTimeoutMs = 1000, rules: Rules = {}) => {
    return decidePermission(
      request,
      { ...settings(rules), onPermission, permissionTimeoutMs },
      agent,
    );
  };

  it.each(['allow_once', 'allow_always', 'reject', 'cancel'] as const)(
    'may decide %s against every rule',
    async (decision) => {
      expect(await decide(() => decision)).toBe(decision);
      expect(await decide(async () => decision, 1000, { denied: ['*'] })).toBe(decision);
    },
  );

  it('gets the decision of the rules as a suggestion', async () => {
    const suggestions: string[] = [];
    const onPermission: OnPermission = (asked) => {
      suggestions.push(`${asked.toolName} ${asked.suggested}`);
      return asked.suggested;
    };
    await decide(onPermission);
    await decide(onPermission, 1000, { mode: 'auto_edit' });
    expect(suggestions).toEqual(['write_file reject', 'write_file allow_once']);
  });

  it('rejects the call if it takes too long, fails or returns an invalid answer', async () => {
    const mode = { mode: 'yolo' } as const;
    expect(await decide(() => new Promise(() => {}), 10, mode)).toBe('reject');
    expect(await decide(() => Promise.reject(new Error('x')), 1000, mode)).toBe('reject');
    const throwing = () => {
      throw new Error('x');
    };
    expect(await decide(throwing, 1000, mode)).toBe('reject');
    for (const answer of ['"yes"', 'true', 'null', '{}', '"toString"', '"allow"', '0']) {
      expect(await decide(() => JSON.parse(answer), 1000, mode)).toBe('reject');
    }
  });

  it('tells the log why an answer cannot be used', async () => {
    const problems: unknown[] = [];
    const note = (fields: object) => void problems.push(fields);
    const logger = { debug: note, info: note, warn: note, error: note };
    const take = (onPermission: OnPermission) =>
      decidePermission(
        request,
        { ...settings({}), onPermission, permissionTimeoutMs: 10, logger },
        agent,
      );
    await take(() => Promise.reject(new Error('The UI is gone')));
    await take(() => new Promise(() => {}));
    await take(() => JSON.parse('"yes"'));
    await take(() => 'reject');
    const asked = { callId: 'c', tool: 'write_file' };
    expect(problems).toEqual([
      { ...asked, problem: 'The UI is gone' },
      { ...asked, problem: 'No answer within permissionTimeout' },
      { ...asked, problem: '"yes" is neither a decision nor an offered option' },
    ]);
  });

  describe('with an option by its id', () => {
    const options = [
      { optionId: 'file', name: 'Always for this file', kind: 'allow_always' },
      { optionId: 'folder', name: 'Always for this folder', kind: 'allow_always' },
      { optionId: 'once', name: 'Once', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
      { optionId: 'never', name: 'Never', kind: 'reject_always' },
      { optionId: 'cancel', name: 'Ask later', kind: 'ask_later' },
    ];
    const choose = async (optionId: string, profile = agent, kind: 'edit' | 'execute' = 'edit') => {
      const onPermission: OnPermission = () => ({ optionId });
      const asked = { ...ask('tool', kind), options };
      const answer = await decidePermission(asked, { ...settings({}), onPermission }, profile);
      return [chooseOption(options, answer)?.optionId, decisionOf(answer, options)];
    };

    it.each([
      ['file', 'allow_always'],
      ['folder', 'allow_always'],
      ['once', 'allow_once'],
      ['no', 'reject'],
      ['never', 'reject'],
      ['cancel', 'reject'],
    ])('answers with exactly this option: %s', async (optionId, decision) => {
      expect(await choose(optionId)).toEqual([optionId, decision]);
    });

    it('rejects the call if the option is not offered', async () => {
      expect(await choose('all')).toEqual(['no', 'reject']);
    });

    it('allows an edit of the Gemini CLI once, as its decisions do', async () => {
      expect(await choose('folder', geminiProfile)).toEqual(['once', 'allow_once']);
      expect(await choose('folder', geminiProfile, 'execute')).toEqual(['folder', 'allow_always']);
    });
  });

  it('leaves the decision to the rules if it is not set', async () => {
    expect(await decidePermission(request, settings({ mode: 'yolo' }), agent)).toBe('allow_once');
    expect(await decidePermission(request, settings({}), agent)).toBe('reject');
  });
});

describe('the chosen option', () => {
  const kinds = ['allow_always', 'reject_always', 'allow_once', 'reject_once', 'other'];
  const offer = (names: readonly string[]) => {
    return names.map((kind) => ({ optionId: `option ${kind}`, name: 'x', kind }));
  };

  it('has the kind of the decision at any position', () => {
    for (let shift = 0; shift < kinds.length; shift++) {
      const shuffled = offer([...kinds.slice(shift), ...kinds.slice(0, shift)]);
      for (const options of [shuffled, shuffled.toReversed()]) {
        expect(chooseOption(options, 'allow_once')?.kind).toBe('allow_once');
        expect(chooseOption(options, 'allow_always')?.kind).toBe('allow_always');
        expect(chooseOption(options, 'reject')?.kind).toBe('reject_once');
        expect(chooseOption(options, 'cancel')).toBeUndefined();
      }
    }
  });

  it('has the nearest kind if that kind is not offered, and never the opposite', () => {
    expect(chooseOption(offer(['allow_always']), 'allow_once')?.kind).toBe('allow_always');
    expect(chooseOption(offer(['allow_once']), 'allow_always')?.kind).toBe('allow_once');
    expect(chooseOption(offer(['allow_once', 'reject_always']), 'reject')?.kind).toBe(
      'reject_always',
    );
    expect(chooseOption(offer(['allow_once', 'allow_always']), 'reject')).toBeUndefined();
    expect(chooseOption(offer(['reject_once', 'other']), 'allow_once')).toBeUndefined();
    expect(chooseOption([], 'allow_once')).toBeUndefined();
  });
});

describe('a protected path', () => {
  const isProtected = (path: string) => path.endsWith('.env');
  const edit = { ...ask('write_file', 'edit'), locations: ['/app/.env'] };

  it.each([
    ['location', edit],
    ['argument', { ...ask('Edit', 'edit'), input: { path: 'a/.env' } }],
    ['argument of another agent', { ...ask('Write', 'delete'), input: { filePath: '.env' } }],
  ])(
    'named by a %s is refused, also if rules and onPermission allow it (claim: protected-paths-refused)',
    async (_what, request) => {
      for (const profile of [agent, geminiProfile]) {
        const rules = settings({ mode: 'yolo', allowed: [request.toolName] });
        const onPermission = () => 'allow_always' as const;
        expect(decideByRules(request, rules, profile)).toBe('allow_once');
        expect(decideByRules(request, { ...rules, isProtected }, profile)).toBe('reject');
        expect(
          await decidePermission(request, { ...rules, isProtected, onPermission }, profile),
        ).toBe('reject');
      }
    },
  );

  it('may be read', () => {
    const request = { ...ask('read_file', 'read'), locations: ['/app/.env'] };
    expect(decideByRules(request, { ...settings({}), isProtected }, agent)).toBe('allow_once');
  });
});

describe('an edit of the Gemini CLI in auto_edit', () => {
  const edit = ask('write_file', 'edit');

  it('is allowed without a question to onPermission, as the CLI itself would', async () => {
    const onPermission = () => 'reject' as const;
    const rules = { ...settings({ mode: 'auto_edit' }), onPermission };
    expect(await decidePermission(edit, rules, geminiProfile)).toBe('allow_once');
    expect(await decidePermission(shell('ls'), rules, geminiProfile)).toBe('reject');
    expect(await decidePermission(edit, rules, agent)).toBe('reject');
  });

  it('is allowed once if onPermission says always: the CLI would leave its mode', async () => {
    const rules = { ...settings({ mode: 'default' }), onPermission: () => 'allow_always' as const };
    expect(await decidePermission(edit, rules, geminiProfile)).toBe('allow_once');
    expect(await decidePermission(edit, rules, agent)).toBe('allow_always');
    expect(await decidePermission(shell('ls'), rules, geminiProfile)).toBe('allow_always');
  });
});

describe('a redirection of another agent', () => {
  const withRedirection = (rules: readonly string[], allowRedirection?: boolean) => {
    return { ...settings({}), allowedTools: parseAllowedTools(rules, allowRedirection) };
  };

  it.each(['npm test > log', 'npm test 2>&1 > "a b"', 'npm test < in'])(
    'is allowed only if its rule allows redirections: %s',
    (command) => {
      const rules = ['run_shell_command(npm test)'];
      expect(decideByRules(shell(command), withRedirection(rules), agent)).toBe('reject');
      expect(decideByRules(shell(command), withRedirection(rules, true), agent)).toBe('allow_once');
    },
  );

  it.each([
    'npm test > log; rm x',
    'npm test > log && rm x',
    'npm test > $(x)',
    'npm test > `x`',
    'npm test | tee x',
    'npm test <(rm x)',
    'npm test <<EOF',
    'npm test\nrm x',
    'npm tests > log',
  ])('allows no more than redirections: %s', (command) => {
    const rules = withRedirection(['run_shell_command(npm test)'], true);
    expect(decideByRules(shell(command), rules, agent)).toBe('reject');
  });

  it('is refused under a rule for all commands only with allowRedirection: false', () => {
    for (const profile of [agent, geminiProfile]) {
      const rules = ['run_shell_command'];
      expect(decideByRules(shell('a > b'), withRedirection(rules), profile)).toBe('allow_once');
      expect(decideByRules(shell('a > b'), withRedirection(rules, false), profile)).toBe('reject');
      expect(decideByRules(shell('a "> b"'), withRedirection(rules, false), profile)).toBe(
        'allow_once',
      );
    }
  });
});
