import type { Toolkit } from '../../log.ts';
import { inertLines } from '../../text/escape.ts';

/**
 * The commands that act_runner and Gitea's page of a job know. The page shows annotations as lines of the log with a label,
 * without their parameters and without decoding `%0A`: so each has only its text, and what follows the first line is plain.
 */
export function logCommands(write: (text: string) => void): Toolkit {
  const line = (text: string) => write(`${text}\n`);
  const annotation =
    (level: 'notice' | 'warning' | 'error'): Toolkit['notice'] =>
    (message, { title, file, startLine } = {}) => {
      const place = file === undefined ? '' : `${file}${startLine === undefined ? '' : `:${startLine}`}: `;
      const [first = '', ...rest] = inertLines(`${place}${message}`);
      line(`::${level}::${title === undefined ? '' : `${inertLines(title).join(' ')}: `}${first}`);
      for (const text of rest) line(text);
    };
  return {
    info: line,
    debug: (text) => line(`::debug::${text}`),
    notice: annotation('notice'),
    warning: annotation('warning'),
    error: annotation('error'),
    startGroup: (title) => line(`::group::${inertLines(title).join(' ')}`),
    endGroup: () => line('::endgroup::'),
    setSecret(secret) {
      const escaped = secret.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
      line(`::add-mask::${escaped}`);
      // Some versions of the runner decode the value and some do not: a link is full of percent signs.
      if (escaped !== secret && !/[\r\n]/.test(secret)) line(`::add-mask::${secret}`);
    },
    pauseCommands: (token) => ({ begin: `::stop-commands::${token}`, end: `::${token}::` }),
  };
}
