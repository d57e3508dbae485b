/** From the text of an input about a store to its value, as `values.ts` has it for the others. */
import { isAbsolute } from 'node:path';
import { accept, type Parser, reject, serverAddress } from './values.ts';

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
