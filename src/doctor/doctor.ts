import { CourierError } from '../errors.ts';
import type { DoctorInputs } from '../inputs/inputs.ts';
import { defineMode } from '../run/finish.ts';
import type { RunFacts } from '../run/report.ts';
import type { CheckResult } from '../stores/port.ts';
import { checkPublishing } from './content.ts';
import { checkFolders, checkLinkDestinations, checkRollout, checkSite } from './destinations.ts';
import {
  broken,
  type CheckRow,
  type Checks,
  type DoctorDeps,
  doctorPresentation,
  failed,
  MARKS,
  ok,
  splitFindings,
  unseenHeading,
  verdict,
  warning,
} from './finding.ts';
import { checkGitHub } from './github.ts';
import { checkPlatform } from './platform.ts';

/** Each part with the name of what fails if it throws. */
const PARTS: readonly (readonly [
  what: string,
  check: (inputs: DoctorInputs, deps: DoctorDeps) => Checks,
])[] = [
  ['Inputs', checkInputs],
  ['Address', checkPlatform],
  ['Content of an export', checkPublishing],
  ['GitHub', checkGitHub],
  ['Destination of the link', checkLinkDestinations],
  ['Rollout', checkRollout],
  ['Published site', checkSite],
  ['Destinations', checkFolders],
];

/**
 * Tries everything that a workflow with these inputs would need, and changes nothing. Continues
 * after each failure, so that one run shows all of them. Throws `checks-failed` if something would
 * fail.
 */
export async function runDoctor(inputs: DoctorInputs, deps: DoctorDeps): Promise<RunFacts> {
  const findings: CheckRow[] = [];
  deps.record({ checked: inputs.checked, findings });
  const add = ({ fix, ...one }: CheckResult) =>
    findings.push({ ...one, fix: fix && deps.showHint(fix) });
  try {
    for (const [what, check] of PARTS) {
      try {
        for await (const found of check(inputs, deps)) add(found);
      } catch (error) {
        add(failed(what, error));
      }
    }
  } finally {
    // Also those of a run that was cancelled.
    logFindings(findings, deps);
  }
  const faults = findings.filter(({ outcome }) => outcome === 'error');
  if (faults.length === 0)
    return { status: 'completed', reason: `${verdict(findings)}; nothing was changed` };
  throw new CourierError({
    code: 'checks-failed',
    message: [
      `${verdict(findings)}:`,
      ...faults.map(({ what, detail }) => `- ${what}: ${detail}`),
    ].join('\n'),
    hint: `${faults.length === 1 ? 'Correct it.' : 'Correct them from the top: one may be the reason for those below.'} The log and the summary say how. Nothing was changed.`,
  });
}

async function* checkInputs({ checked, problems }: DoctorInputs): Checks {
  const what = 'Inputs';
  yield* problems.map(({ text, fix }) => broken(what, text, fix));
  if (problems.length > 0) return;
  const modes = checked.map((mode) => `mode: ${mode}`).join(', ');
  const fix = 'Give the inputs of the run to check, such as domain or to.';
  yield checked.length > 0
    ? ok(
        what,
        `Valid for ${modes}.${checked.join() === 'search' ? ' For an export, domain is a host name.' : ''}`,
      )
    : warning(what, 'They do not belong to any mode, so only what all modes need is checked.', fix);
}

function logFindings(findings: readonly CheckRow[], { log }: DoctorDeps): void {
  const { seen, unseen } = splitFindings(findings);
  logTable(seen, log);
  if (unseen.length === 0) return;
  log.info(`${unseenHeading(findings)}:`);
  logTable(unseen, log);
}

function logTable(findings: readonly CheckRow[], log: DoctorDeps['log']): void {
  const rows = findings.map(({ what, outcome, detail, fix }) => {
    const found = [detail, fix && `What to do: ${fix}`].filter(
      (text) => text !== undefined && text !== '',
    );
    return [MARKS[outcome], what, found.join('\n')];
  });
  log.table(['', 'Check', 'Found'], rows, ([mark, what, found = '']) =>
    [`${mark} ${what}`, found.replaceAll('\n', '\n   ')].filter((text) => text !== '').join(': '),
  );
}

export const doctorMode = defineMode({ run: runDoctor, ...doctorPresentation });
