import { courierError } from '../ground/errors.ts';
import type { DoctorInputs } from '../inputs/inputs.ts';
import { defineMode } from '../run/finish.ts';
import type { RunFacts } from '../run/report.ts';
import { type CheckResult, ok, warning } from '../stores/port.ts';
import { checkGiven, checkPublishing } from './content.ts';
import { checkFolders, checkLinkDestinations, checkRollout, checkSite } from './destinations.ts';
import {
  broken,
  type CheckRow,
  type Checks,
  type DoctorDeps,
  doctorPresentation,
  failed,
  isFault,
  isSeen,
  MARKS,
  unseenHeading,
  verdict,
} from './finding.ts';
import { checkGitHub } from './github.ts';
import { checkPlatform } from './platform.ts';
import { checkSearchFiles } from './search-files.ts';

/** The parts of the doctor. `what`: the name of the finding if a part throws. */
const PARTS: readonly (readonly [
  what: string,
  check: (inputs: DoctorInputs, deps: DoctorDeps) => Checks,
])[] = [
  ['Inputs', checkInputs],
  ['Address', checkPlatform],
  ['Files of the search', checkSearchFiles],
  ['Content of an export', checkPublishing],
  ['Site', checkGiven],
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
  const add = (finding: CheckResult) =>
    findings.push({ ...finding, fix: finding.fix && deps.showHint(finding.fix) });
  try {
    for (const [what, check] of PARTS) {
      try {
        for await (const finding of check(inputs, deps)) add(finding);
      } catch (error) {
        // `failed` throws the error again if the run was cancelled.
        add(failed(what, error));
      }
    }
  } finally {
    // A run that was cancelled logs the findings that it has.
    logFindings(findings, deps.log);
  }
  const faults = findings.filter(isFault);
  if (faults.length === 0)
    return { status: 'completed', reason: `${verdict(findings)}; nothing was changed` };
  const advice =
    faults.length === 1
      ? 'Correct it.'
      : 'Correct them from the top: one may be the reason for those below.';
  const lines = faults.map((finding) => `- ${finding.what}: ${finding.detail}`);
  throw courierError(
    'checks-failed',
    [`${verdict(findings)}:`, ...lines].join('\n'),
    `${advice} What to do is written with each check. Nothing was changed.`,
  );
}

/** Whether the inputs are valid, and for which modes. */
async function* checkInputs(inputs: DoctorInputs): Checks {
  const { checked, problems } = inputs;
  const what = 'Inputs';
  yield* problems.map((problem) => broken(what, problem.text, problem.fix));
  if (problems.length > 0) return;
  if (checked.length === 0) {
    const detail = 'They do not belong to any mode, so only what all modes need is checked.';
    return yield warning(
      what,
      detail,
      'Give the inputs of the run to check, such as domain or to.',
    );
  }
  const modes = checked.map((mode) => `mode: ${mode}`).join(', ');
  const valid = `Valid for ${modes}.`;
  // A person who means an export may have given the identifier of the site that a search takes.
  if (modes === 'mode: search') yield ok(what, `${valid} For an export, domain is a host name.`);
  else yield ok(what, valid);
}

function logFindings(findings: readonly CheckRow[], log: DoctorDeps['log']): void {
  logTable(findings.filter(isSeen), log);
  const unseen = findings.filter((finding) => !isSeen(finding));
  if (unseen.length === 0) return;
  log.info(`${unseenHeading(findings)}:`);
  logTable(unseen, log);
}

function logTable(findings: readonly CheckRow[], log: DoctorDeps['log']): void {
  const rows = findings.map((finding) => {
    const found = [finding.detail, finding.fix && `What to do: ${finding.fix}`].filter(Boolean);
    return [MARKS[finding.outcome], finding.what, found.join('\n')];
  });
  log.table(['', 'Check', 'Found'], rows, ([mark, what, found = '']) => {
    // A finding may have no detail.
    const shown = [`${mark} ${what}`, found.replaceAll('\n', '\n   ')];
    return shown.filter(Boolean).join(': ');
  });
}

export const doctorMode = defineMode({ run: runDoctor, ...doctorPresentation });
