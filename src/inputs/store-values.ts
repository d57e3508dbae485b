/** From the text of an input about a store to its value, as `values.ts` has it for the others. */
import { isAbsolute } from 'node:path';
import { isLoopback } from '../http/hosts.ts';
import { isAwsRegion } from '../stores/address.ts';
import { accept, type Parser, reject } from './values.ts';

/** An https address, or http to a loopback host; a path prefix stays. `excess` is what people copy behind it. */
function serverAddress(example: string, excess: RegExp): Parser<string> {
  return (value) => {
    const url = /^https?:\/\/[^\s\\]+$/i.test(value) && URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined) return reject(`an https address such as ${example}`);
    if (url.username !== '' || url.password !== '') return reject('an address without user name and password');
    if (/[?#]/.test(value)) return reject('an address without query and fragment');
    const found = excess.exec(url.pathname)?.[0];
    if (found !== undefined) return reject(`the address of the server itself; leave out ${found}`);
    if (url.protocol === 'http:' && !isLoopback(url.hostname))
      return reject('https (http is for a loopback host only)');
    return accept(url.href.replace(/\/+$/, ''));
  };
}

/** The address of a forge, without the path of its API. */
export const serverUrl = serverAddress('https://gitlab.example.com', /\/api\/v\d+\/*$/);

export const vaultAddress = serverAddress('https://vault.example.com:8200', /\/(v1|ui)(\/.*)?$/);

/** The path of a namespace of Vault, which goes into a header. */
export const vaultNamespace: Parser<string> = (value) =>
  /^[!-~]{1,255}$/.test(value) ? accept(value) : reject('the path of a namespace, such as admin/docs');

/** Where an auth method of Vault is mounted: below `auth/`. */
export const vaultAuthPath: Parser<string> = (value) => {
  const plain = value.replace(/^\/?(auth\/)?|\/+$/g, '');
  const isPath = /^(?!\.{1,2}(\/|$))[\w.~-]{1,128}(\/(?!\.{1,2}(\/|$))[\w.~-]{1,128}){0,5}$/.test(value);
  if (isPath && plain === value) return accept(value);
  const hint = isPath || /^[\w.~/-]+$/.test(value) ? `; write ${plain}` : '';
  return reject(`the path of an auth method, without auth/ and slashes at its ends, such as jwt-github${hint}`);
};

export const awsRegion: Parser<string> = (value) =>
  isAwsRegion(value) ? accept(value) : reject('a region of AWS, such as eu-central-1');

export const awsRole: Parser<string> = (value) =>
  /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,576}$/.test(value)
    ? accept(value)
    : reject('the ARN of a role, such as arn:aws:iam::123456789012:role/docs-courier');

/** Certificates as PEM, and nothing else. */
export const certificates: Parser<string> = (value) => {
  const rest = value.replace(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g, '');
  return rest.trim() === '' && rest !== value
    ? accept(value)
    : reject('one or more certificates as PEM, each from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----');
};

/** The text of a kubeconfig, or the absolute path of one. What it holds is checked where it is used. */
export const kubeconfig: Parser<string> = (value) => {
  const isText = value.includes('\n') || value.startsWith('{');
  return isText || (isAbsolute(value) && !value.includes('\0'))
    ? accept(value)
    : reject('the text of a kubeconfig, or the absolute path of one');
};
