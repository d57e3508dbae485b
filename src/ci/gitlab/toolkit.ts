import type { Toolkit } from '../../log.ts';
import { createPlainToolkit } from '../plain-toolkit.ts';
import type { Host } from '../port.ts';

const ERASE = '\u001b[0K';

/**
 * Lines of a job log, with sections that can be folded: https://docs.gitlab.com/ci/jobs/job_logs/#custom-collapsible-sections.
 * A section line needs a carriage return and an escape, which no inert line holds. GitLab has no command that masks a value:
 * the log redacts every line before it gets here.
 */
export function createGitLabToolkit(host: Host, now: () => number = Date.now): Toolkit {
  const open: string[] = [];
  let count = 0;
  const mark = (kind: 'start' | 'end', section: string) => `section_${kind}:${Math.floor(now() / 1000)}:${section}`;
  return {
    ...createPlainToolkit(host),
    startGroup(title) {
      count += 1;
      const section = `docs_courier_${count}`;
      open.push(section);
      host.write(`${ERASE}${mark('start', section)}[collapsed=true]\r${ERASE}${title}`);
    },
    endGroup() {
      const section = open.pop();
      if (section !== undefined) host.write(`${ERASE}${mark('end', section)}\r${ERASE}`);
    },
  };
}
