import { CourierError } from '../errors.ts';
import type { DoctorInputs } from '../inputs/inputs.ts';
import { defineMode } from '../run/finish.ts';
import type { RunFacts } from '../run/report.ts';
import { checkContent } from './content.ts';
import { checkDestinations } from './destinations.ts';
import { broken, type Check, type DoctorDeps, doctorPresentation, type Finding, MARKS, verdict } from './finding.ts';
import { checkGitHub } from './forge.ts';
import { checkPlatform } from './platform.ts';
import { checkFolders, checkRollout, checkSite } from './publish.ts';

const CHECKS = [
  checkInputs,
  checkPlatform,
  checkContent,
  checkGitHub,
  checkDestinations,
  checkRollout,
  checkSite,
  checkFolders,
];

/**
 * Tries everything that a workflow with these inputs would need, and changes nothing. Continues after each failure, so that one
 * run shows all of them. Throws `checks-failed` where something would fail.
 */
export async function runDoctor(inputs: DoctorInputs, deps: DoctorDeps): Promise<RunFacts> {
  const findings: Finding[] = [];
  deps.record({ checked: inputs.checked, findings });
  try {
    for (const check of CHECKS) {
      const found = await check(inputs, deps);
      findings.push(...found.map(({ fix, ...one }) => ({ ...one, fix: fix && deps.showHint(fix) })));
    }
  } finally {
    // Also those of a run that was cancelled.
    logFindings(findings, deps);
  }
  const isBroken = findings.some(({ outcome }) => outcome === 'error');
  if (!isBroken) return { status: 'completed', reason: `${verdict(findings)}; nothing was changed` };
  throw new CourierError({
    code: 'checks-failed',
    message: [
      `${verdict(findings)}:`,
      ...findings.filter(({ outcome }) => outcome === 'error').map(({ what, detail }) => `- ${what}: ${detail}`),
    ].join('\n'),
    hint: 'Correct them from the top: one may be the reason for those below. The log and the summary say how. Nothing was changed.',
  });
}

async function checkInputs({ checked, problems }: DoctorInputs): Promise<Check[]> {
  if (problems.length > 0) {
    return problems.map(({ text, fix }) => broken('Inputs', text, fix));
  }
  const modes = checked.map((mode) => `mode: ${mode}`).join(', ');
  return [
    checked.length > 0
      ? { what: 'Inputs', outcome: 'ok', detail: `Right for ${modes}.` }
      : {
          what: 'Inputs',
          outcome: 'warning',
          detail: 'They belong to no mode, so only what all modes need is checked.',
          fix: 'Give the inputs of the run that is to be checked, such as domain or to.',
        },
  ];
}

function logFindings(findings: readonly Finding[], { log }: DoctorDeps): void {
  const rows = findings.map(({ what, outcome, detail, fix }) => {
    const found = [detail, fix && `What to do: ${fix}`].filter((text) => text !== undefined && text !== '');
    return [MARKS[outcome], what, found.join('\n')];
  });
  log.table(['', 'Check', 'Found'], rows, ([mark, what, found = '']) =>
    [`${mark} ${what}`, found.replaceAll('\n', '\n   ')].filter((text) => text !== '').join(': '),
  );
}

export const doctorMode = defineMode({ run: runDoctor, ...doctorPresentation });
