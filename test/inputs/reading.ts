import { readActionInputs, variableOf } from '../../src/ci/github/runner.ts';
import { CourierError } from '../../src/ground/errors.ts';
import type { ExportInputs, Inputs } from '../../src/inputs/inputs.ts';
import { readInputs } from '../../src/inputs/read.ts';
import { INPUTS } from '../../src/values/catalog.ts';
import type { InputContext } from '../../src/values/reader.ts';

export type Given = Readonly<Record<string, string>>;
export type Where = Partial<InputContext>;

const STEP: Given = {
  mode: 'export',
  'base-url': 'https://api.docs.example.com',
  'admin-api-key': 'svc_canary-admin-key',
  domain: 'docs.example.com',
};

/**
 * The inputs of a step that exports, with these instead of its own, as the runner gives them:
 * defaults filled in.
 */
export function readStep(given: Given = {}, where: Where = {}): Inputs {
  const defaults = Object.entries(INPUTS).map(([name, { default: value }]) => [name, value]);
  const all: Given = { ...Object.fromEntries(defaults), ...STEP, ...given };
  const env = Object.fromEntries(
    Object.entries(all).map(([name, value]) => [variableOf(name), value]),
  );
  return readInputs(readActionInputs(env), {
    repository: 'acme/app',
    workspace: '/workspace',
    ...where,
  });
}

export function readExport(given: Given = {}, where: Where = {}): ExportInputs {
  const inputs = readStep(given, where);
  if (inputs.mode !== 'export') throw new Error(inputs.mode);
  return inputs;
}

/** What is wrong with these inputs. */
export function problemOf(given: Given, where: Where = {}): string {
  return errorOf(given, where).message;
}

/** The error about these inputs. */
export function errorOf(given: Given, where: Where = {}): CourierError {
  try {
    readStep(given, where);
  } catch (error) {
    if (error instanceof CourierError && error.code === 'config') return error;
    throw error;
  }
  throw new Error('The inputs were accepted.');
}
