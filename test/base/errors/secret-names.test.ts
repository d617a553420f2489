import { describe, expect, it } from 'vitest';
import { isSecretName, isSecretVariable } from '../../../src/base/errors/secret-names.js';

describe('the name of a secret', () => {
  it.each([
    'AWS_CREDENTIALS',
    'DB_PASS',
    'SSHPASS',
    'KEY_PASSPHRASE',
    'AUTHORIZATION',
    'Authorization',
    'SESSION_COOKIE',
    'Cookie',
    'x-api-key',
    'MYSQL_PWD',
    'NPM_AUTH',
    'SERVICE_JWT',
    'GITHUB_PAT',
  ])('is %s (claim: secrets-hidden)', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each([
    'PWD',
    'OLDPWD',
    'SSH_AUTH_SOCK',
    'SSH_ASKPASS',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'KEY_FILE',
    'TOKEN_PATH',
    'COMPASS',
    'PATH',
    'PASSENGER_ENV',
    'AUTHOR',
  ])('is not %s', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

describe('the value of a variable with such a name', () => {
  it.each([
    ['AWS_CREDENTIALS', 'AKIA1234:secret', true],
    ['AWS_CREDENTIALS', '/abc+def/ghi', true],
    ['AWS_CREDENTIALS', '/home/joe/credentials.json', false],
    ['AWS_CREDENTIALS', 'C:\\keys\\aws.ini', false],
    ['MY_SECRET', '/home/joe/credentials.json', true],
    ['DB_PASS', 'short', false],
  ])('%s=%s is a secret: %s', (name, value, expected) => {
    expect(isSecretVariable(name, value)).toBe(expected);
  });
});
