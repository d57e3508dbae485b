import { describe, expect, it } from 'vitest';
import { createLog, MAX_ANNOTATIONS, MAX_INFO_LINES, type Toolkit } from '../../src/ground/log.ts';

function recordingToolkit(): Toolkit & { readonly lines: string[] } {
  const lines: string[] = [];
  const put = (kind: string) => (text: string) => {
    lines.push(`${kind} ${text}`);
  };
  return {
    lines,
    info: put('info'),
    debug: put('debug'),
    notice: put('notice'),
    warning: put('warning'),
    error: put('error'),
    startGroup: put('group'),
    endGroup: () => lines.push('endgroup'),
    setSecret: put('mask'),
    pauseCommands: (token) => ({ begin: `::stop-commands::${token}`, end: `::${token}::` }),
  };
}

describe('the log', () => {
  it('The log redacts even if its redaction is passed on as a function', () => {
    const log = createLog(recordingToolkit());
    const { redact } = log;
    log.mask('svc_0123456789');
    expect(redact('key svc_0123456789')).not.toContain('svc_0123456789');
  });

  it('The log masks a secret in all its forms before it is used, and prints none of them afterwards', () => {
    const toolkit = recordingToolkit();
    const log = createLog(toolkit);
    const secret = 'svc_canary+key/1234';
    log.mask(secret);
    const base64 = Buffer.from(`x:${secret}`).toString('base64');
    log.info(
      `raw ${secret} percent ${encodeURIComponent(secret)} base64 ${base64} hex ${Buffer.from(secret).toString('hex')}`,
    );
    log.error(`again ${secret}`, { title: secret });
    log.debug(secret);
    const said = toolkit.lines.filter((line) => !line.startsWith('mask '));
    expect(toolkit.lines[0]).toBe(`mask ${secret}`);
    expect(said.join('\n')).not.toMatch(/canary|svc_/);
    expect(said[0]).not.toContain(base64.slice(4, 20));
  });

  it('The log shows rows as a table in a terminal, and as lines elsewhere', () => {
    const plain = recordingToolkit();
    const rows = [
      ['a', 'svc_0123456789\n::error::x'],
      ['b', 'c'],
    ];
    createLog(plain).table(['Site', 'Why'], rows, ([site]) =>
      site === 'b' ? undefined : `site ${site}`,
    );
    expect(plain.lines).toEqual(['info site a']);
    const shown: unknown[] = [];
    const log = createLog({
      ...recordingToolkit(),
      table: (head, cells) => shown.push(head, cells),
    });
    log.mask('svc_0123456789');
    log.table(['Site', 'Why'], rows, () => 'never');
    expect(shown).toEqual([
      ['Site', 'Why'],
      [
        ['a', '***\n| ::error::x'],
        ['b', 'c'],
      ],
    ]);
  });

  it('The runner is not asked to mask a short value, which the log itself replaces, and masks a secret of several lines line by line', () => {
    const toolkit = recordingToolkit();
    const log = createLog(toolkit);
    log.mask('');
    log.mask('short');
    expect(toolkit.lines).toEqual([]);
    log.warning('the token short was refused shortly');
    expect(toolkit.lines.splice(0).join('\n')).toContain('the token *** was refused shortly');
    log.mask('first-line-of-key\nsecond-line-of-key');
    expect(toolkit.lines).toContain('mask first-line-of-key');
    expect(toolkit.lines).toContain('mask second-line-of-key');
    expect(toolkit.lines.every((line) => !line.includes('\n'))).toBe(true);
  });

  it('The log prints text from outside as a block that cannot end itself', () => {
    const toolkit = recordingToolkit();
    createLog(toolkit).block('They said:', 'one\n::error::two\r::stop-commands::x');
    const [title, stop, ...rest] = toolkit.lines;
    const token = stop?.replace('info ::stop-commands::', '');
    expect(title).toBe('info They said:');
    expect(token).toMatch(/^[0-9a-f]{32}$/);
    expect(rest).toEqual([
      'info | one',
      'info | ::error::two',
      'info | ::stop-commands::x',
      `info ::${token}::`,
    ]);
  });

  it('The log prints a block as a whole, however long it is', () => {
    const toolkit = recordingToolkit();
    const log = createLog(toolkit);
    const lines = Array.from({ length: 3000 }, (_, index) => `line ${index}`);
    log.block('The prompt:', lines.join('\n'));
    expect(toolkit.lines).toContain('info | line 2999');
    log.info('after it');
    expect(toolkit.lines.at(-1)).toBe('info after it');
  });

  it('The log finds a secret that a block has on several lines', () => {
    const toolkit = recordingToolkit();
    const log = createLog(toolkit);
    log.mask('svc_canary0123456789');
    log.block('They said:', 'svc_canary\n0123456789 and on');
    expect(toolkit.lines).toContain('info | *** and on');
    expect(toolkit.lines.slice(-3).join('\n')).not.toContain('canary');
  });

  it('The reason of a failure is an error annotation after any number of warnings and notices', () => {
    const toolkit = recordingToolkit();
    const log = createLog(toolkit);
    for (let n = 0; n < MAX_ANNOTATIONS + 3; n += 1) {
      log.warning(`w${n}`);
      log.notice(`n${n}`);
    }
    log.error('the reason');
    expect(toolkit.lines.filter((line) => line.startsWith('warning'))).toHaveLength(
      MAX_ANNOTATIONS,
    );
    expect(toolkit.lines.filter((line) => line.startsWith('notice'))).toHaveLength(MAX_ANNOTATIONS);
    expect(toolkit.lines).toContain('info warning: w12');
    expect(toolkit.lines.at(-1)).toBe('error the reason');
  });

  it('The eleventh error is a line, also after the last line that the log shows', () => {
    const toolkit = recordingToolkit();
    const log = createLog(toolkit);
    for (let n = 0; n < MAX_INFO_LINES; n += 1) log.info(`line ${n}`);
    for (let n = 0; n <= MAX_ANNOTATIONS; n += 1) log.error(`e${n}`);
    expect(toolkit.lines.at(-1)).toBe('info error: e10');
  });

  it('The log ends after five hundred lines with a line that says so; progress is not counted', () => {
    const toolkit = recordingToolkit();
    const log = createLog(toolkit);
    log.progress('running', 0);
    for (let n = 0; n < 2 * MAX_INFO_LINES; n += 1) log.info(`line ${n}`);
    expect(toolkit.lines).toHaveLength(1 + MAX_INFO_LINES);
    expect(toolkit.lines.at(-1)).toBe('info Further lines are left out.');
  });

  it('The log closes a group when its body fails', async () => {
    const toolkit = recordingToolkit();
    await expect(
      createLog(toolkit).group('g', () => Promise.reject(new Error('x'))),
    ).rejects.toThrow('x');
    expect(toolkit.lines).toEqual(['group g', 'endgroup']);
  });
});
