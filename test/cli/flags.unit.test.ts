import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readArguments } from '../../src/cli/arguments.ts';
import { readInputTexts, renderHelp } from '../../src/cli/help.ts';
import { COMMANDS, FLAGS, LISTS } from '../../src/cli/options.ts';
import { readCommandInputs } from '../../src/cli/source.ts';
import { INPUTS } from '../../src/values/catalog.ts';
import { INPUT_NAMES, SECRET_INPUTS, variableName } from '../../src/values/reader.ts';

const root = join(import.meta.dirname, '../..');
const action = parse(readFileSync(join(root, 'action.yml'), 'utf8'));
const inputs = Object.keys(action.inputs).filter((name) => name !== 'mode');
const isSecret = (name: string) => SECRET_INPUTS.some((secret) => secret === name);
const isSwitch = (name: string) =>
  name === 'publish' || ['true', 'false'].includes(action.inputs[name].default);

describe('the contract of the command line with action.yml', () => {
  test.each(inputs)('The input %s is a flag and a variable, and the flag comes first', (name) => {
    const input = INPUT_NAMES.find((one) => one === name) ?? 'mode';
    const [command = 'export'] = INPUTS[input].modes;
    const value = isSwitch(name) ? 'true' : 'from-flag';
    const env = { [variableName(name)]: 'from-variable' };
    const read = (args: readonly string[]) => {
      const line = readArguments([command, ...args]);
      expect(line.problems).toEqual([]);
      return readCommandInputs(line, { env, cwd: '/' }).value(name);
    };
    expect(read([])).toBe('from-variable');
    if (isSecret(name)) return expect(FLAGS.has(`${name}-file`)).toBe(true);
    expect(read(isSwitch(name) ? [`--${name}`] : [`--${name}`, value])).toBe(value);
    expect(read([`--${name}=${value}`])).toBe(value);
    if (isSwitch(name)) expect(read([`--${name}`, 'false'])).toBe('false');
  });

  test('No option has the name of an input, and every list is one in action.yml', () => {
    const options = [...FLAGS.values()].filter(({ input }) => input === undefined);
    expect(options.filter(({ name }) => inputs.includes(name))).toEqual([]);
    expect(FLAGS.size).toBe(options.length + inputs.length);
    for (const name of LISTS)
      expect(action.inputs[name].description).toMatch(/one|commas|logins|repositories|parts/i);
  });

  test('The help shows the texts of action.yml', () => {
    const shown = readInputTexts();
    for (const name of inputs) {
      const text = shown.get(name) ?? '';
      expect(action.inputs[name].description).toContain(text);
      expect(text.length).toBeGreaterThan(10);
    }
  });

  test.each(COMMANDS)('The help of %s lists its flags and no others', (command) => {
    const help = renderHelp(command, 80);
    for (const line of help.split('\n')) expect(line.length).toBeLessThan(120);
    const own = [...FLAGS.values()].filter(({ commands }) => commands.includes(command));
    for (const { name } of own) expect(help).toContain(`--${name}`);
    expect(help.includes('--refresh-before')).toBe(['refresh', 'doctor'].includes(command));
  });
});

describe('flags', () => {
  test('Flags of a list may be repeated, and become one entry per line', () => {
    const line = readArguments(['export', '--to', 'file:a', '--to=file:b']);
    expect(readCommandInputs(line, { env: {}, cwd: '/' }).value('to')).toBe('file:a\nfile:b');
  });

  test('Flags may come before the command', () => {
    expect(readArguments(['--domain', 'a.b', 'export']).command).toBe('export');
  });
});
