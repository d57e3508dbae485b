import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { ACTION } from '../../src/ground/published.ts';

/** The inputs and outputs of an action. */
export interface Contract {
  readonly inputs: ReadonlySet<string>;
  readonly required: ReadonlySet<string>;
  readonly outputs: ReadonlySet<string>;
}

/** The action of a `uses:`; undefined if it is not one of ours. */
export type FindContract = (uses: string) => Contract | undefined;

const named = z.catch(
  z.record(z.string(), z.looseObject({ required: z.optional(z.boolean()) })),
  {},
);
const actionFile = z.looseObject({ inputs: named, outputs: named });
const step = z.looseObject({
  id: z.optional(z.string()),
  uses: z.optional(z.string()),
  with: z.optional(z.record(z.string(), z.unknown())),
});
type Step = z.infer<typeof step>;
const workflow = z.looseObject({
  jobs: z.record(z.string(), z.looseObject({ steps: z.optional(z.array(step)) })),
});

function readContract(path: string): Contract {
  const { inputs, outputs } = actionFile.parse(parse(readFileSync(path, 'utf8')));
  const required = Object.entries(inputs).filter(([, input]) => input.required === true);
  return {
    inputs: new Set(Object.keys(inputs)),
    required: new Set(required.map(([name]) => name)),
    outputs: new Set(Object.keys(outputs)),
  };
}

/** The actions of this repository, as its workflows and those of a reader use them. */
export function ownContracts(root: string): FindContract {
  const [action, emulator] = [
    readContract(join(root, 'action.yml')),
    readContract(join(root, 'emulator/action.yml')),
  ];
  return (uses) => {
    const [published] = ACTION.split(' #');
    if (uses === './emulator' || uses === `${published}/emulator`) return emulator;
    return uses === './' || uses === published || uses === `${published}/gitea`
      ? action
      : undefined;
  };
}

/** One line for every unknown input, missing required input, and unknown output that is read. */
export function findMiswirings(text: string, find: FindContract): string[] {
  const { jobs } = workflow.parse(parse(text));
  return Object.entries(jobs).flatMap(([id, job]) => {
    const ours = (job.steps ?? []).flatMap((each) => {
      const contract = find(each.uses ?? '');
      return contract ? [{ step: each, contract }] : [];
    });
    return [...ours.flatMap(judgeInputs), ...judgeOutputs(job, ours)].map(
      (line) => `job ${id}: ${line}`,
    );
  });
}

interface OurStep {
  readonly step: Step;
  readonly contract: Contract;
}

function judgeInputs({ step: { uses, with: given = {} }, contract }: OurStep): string[] {
  const names = Object.keys(given);
  return [
    ...names
      .filter((name) => !contract.inputs.has(name))
      .map((name) => `${uses} has no input ${name}`),
    ...[...contract.required]
      .filter((name) => !names.includes(name))
      .map((name) => `${uses} needs the input ${name}`),
  ];
}

function judgeOutputs(job: unknown, ours: readonly OurStep[]): string[] {
  const outputs = new Map(ours.map(({ step: { id }, contract }) => [id, contract.outputs]));
  // The whole job as text: an expression may be anywhere in it.
  return [...JSON.stringify(job).matchAll(/\bsteps\.([\w-]+)\.outputs\.([\w-]+)/g)].flatMap(
    ([, id, name = '']) => {
      const known = outputs.get(id);
      return known === undefined || known.has(name) ? [] : [`step ${id} has no output ${name}`];
    },
  );
}
