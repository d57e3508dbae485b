import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeKey } from './real-servers/authority.ts';

const run = promisify(execFile);

export interface Certificate {
  /** PEM, for a server and, as its own authority, for NODE_EXTRA_CA_CERTS. */
  readonly key: string;
  readonly cert: string;
}

interface CertificateOptions {
  /** Names and addresses that it is valid for. Default `localhost` and 127.0.0.1. */
  readonly hosts?: readonly string[] | undefined;
  /** Valid from and to. Default: yesterday to tomorrow. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

const DAY_MS = 86_400_000;

/** A self-signed certificate, created by openssl during the test: the repository contains none. */
export async function makeCertificate(options: CertificateOptions = {}): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'certificate-'));
  const path = (name: string) => join(folder, name);
  const names = (options.hosts ?? ['localhost', '127.0.0.1']).map(
    (host) => `${isAddress(host) ? 'IP' : 'DNS'}:${host}`,
  );
  try {
    await writeFile(path('request.cnf'), requestConfig(names));
    await writeFile(path('index.txt'), '');
    await writeFile(path('serial'), '01');
    await writeFile(path('key.pem'), makeKey());
    await run(
      'openssl',
      ['req', '-new', '-key', 'key.pem', '-config', 'request.cnf', '-out', 'request.pem'],
      {
        cwd: folder,
      },
    );
    await run(
      'openssl',
      [
        ...[
          'ca',
          '-batch',
          '-selfsign',
          '-notext',
          '-config',
          'request.cnf',
          '-extensions',
          'extensions',
        ],
        ...['-keyfile', 'key.pem', '-in', 'request.pem', '-out', 'cert.pem', '-outdir', folder],
        ...['-startdate', stamp(options.from ?? new Date(Date.now() - DAY_MS))],
        ...['-enddate', stamp(options.to ?? new Date(Date.now() + DAY_MS))],
      ],
      { cwd: folder },
    );
    return {
      key: await readFile(path('key.pem'), 'utf8'),
      cert: await readFile(path('cert.pem'), 'utf8'),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** One that expired a day ago. */
export function makeExpiredCertificate(): Promise<Certificate> {
  return makeCertificate({
    from: new Date(Date.now() - 30 * DAY_MS),
    to: new Date(Date.now() - DAY_MS),
  });
}

/** One for another host. */
export function makeWrongHostCertificate(): Promise<Certificate> {
  return makeCertificate({ hosts: ['elsewhere.example'] });
}

let shared: Promise<Certificate> | undefined;

/** The same certificate for all tests of a process that do not need a separate one. */
export function sharedCertificate(): Promise<Certificate> {
  shared ??= makeCertificate();
  return shared;
}

function isAddress(host: string): boolean {
  return /^[\d.]+$/.test(host) || host.includes(':');
}

/** YYYYMMDDHHMMSSZ, the format of openssl. */
function stamp(date: Date): string {
  return `${date.toISOString().replace(/\D/g, '').slice(0, 14)}Z`;
}

function requestConfig(names: readonly string[]): string {
  return `
[req]
prompt = no
distinguished_name = subject
[subject]
CN = docs courier test
[ca]
default_ca = own
[own]
database = index.txt
serial = serial
default_md = sha256
policy = any
[any]
commonName = supplied
[extensions]
basicConstraints = critical, CA:true
subjectAltName = ${names.join(', ')}
`;
}
