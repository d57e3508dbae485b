import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Issued {
  readonly key: string;
  readonly cert: string;
  readonly keyFile: string;
  readonly certFile: string;
}

/**
 * A certificate authority of one test: issues certificates for servers and for clients, valid for a
 * day.
 */
export class Authority {
  readonly #folder: string;
  /** PEM. */
  readonly cert: string;
  readonly certFile: string;

  private constructor(folder: string, cert: string) {
    this.#folder = folder;
    this.cert = cert;
    this.certFile = join(folder, 'ca.pem');
  }

  /** Stores its files in this folder, which the caller removes. */
  static async create(folder: string): Promise<Authority> {
    await newKey(folder, 'ca');
    await openssl(folder, [
      'req',
      '-x509',
      '-new',
      '-key',
      'ca.key',
      '-subj',
      '/CN=docs courier test authority',
      '-days',
      '1',
      '-out',
      'ca.pem',
    ]);
    return new Authority(folder, await readFile(join(folder, 'ca.pem'), 'utf8'));
  }

  /** `subject` in openssl's format, such as `/O=writers/CN=ada`; `names` such as `IP:127.0.0.1`. */
  async issue(name: string, subject: string, names: readonly string[] = []): Promise<Issued> {
    await newKey(this.#folder, name);
    await openssl(this.#folder, [
      'req',
      '-new',
      '-key',
      `${name}.key`,
      '-subj',
      subject,
      '-out',
      `${name}.csr`,
    ]);
    const usage = names.length === 0 ? 'clientAuth' : 'serverAuth';
    const alternative = names.length === 0 ? '' : `subjectAltName=${names.join(',')}\n`;
    await writeFile(join(this.#folder, `${name}.ext`), `${alternative}extendedKeyUsage=${usage}\n`);
    const ca = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '1'];
    await openssl(this.#folder, [
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      ...ca,
      '-extfile',
      `${name}.ext`,
      '-out',
      `${name}.pem`,
    ]);
    const [keyFile, certFile] = [
      join(this.#folder, `${name}.key`),
      join(this.#folder, `${name}.pem`),
    ];
    return {
      keyFile,
      certFile,
      key: await readFile(keyFile, 'utf8'),
      cert: await readFile(certFile, 'utf8'),
    };
  }
}

function newKey(folder: string, name: string): Promise<void> {
  return writeFile(join(folder, `${name}.key`), makeKey());
}

/** A private key as PEM. */
export function makeKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'sec1', format: 'pem' }).toString();
}

function openssl(folder: string, args: readonly string[]): Promise<unknown> {
  return run('openssl', [...args], { cwd: folder });
}
