import type { Toolkit } from '../log.ts';
import type { Host } from './port.ts';

const RESET = '\u001b[0m';
const COLOURS = { error: '\u001b[31m', warning: '\u001b[33m', notice: '\u001b[36m', title: '\u001b[1m' } as const;

/**
 * Plain lines, for a terminal and for a system without log commands of its own. Colours only where the terminal has them.
 * Nothing can be masked there; the log redacts every line before it gets here.
 */
export function createPlainToolkit({ write, env, terminal }: Host): Toolkit {
  const paint = (colour: keyof typeof COLOURS, text: string) =>
    terminal?.hasColours === true ? `${COLOURS[colour]}${text}${RESET}` : text;
  const annotate: (level: 'notice' | 'warning' | 'error') => Toolkit['error'] =
    (level) =>
    (message, { file, startLine } = {}) => {
      const place = file === undefined ? '' : `${file}${startLine === undefined ? '' : `:${startLine}`}: `;
      const [first = '', ...rest] = message.split('\n');
      write(`${paint(level, `${level}:`)} ${place}${first}`);
      for (const line of rest) write(line);
    };
  return {
    info: write,
    debug: (line) => {
      if (env.DOCS_COURIER_DEBUG === 'true') write(`debug: ${line}`);
    },
    notice: annotate('notice'),
    warning: annotate('warning'),
    error: annotate('error'),
    startGroup: (title) => write(paint('title', title)),
    endGroup() {},
    setSecret() {},
  };
}
