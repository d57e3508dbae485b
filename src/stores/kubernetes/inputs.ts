import { delimiter, isAbsolute, join } from 'node:path';
import { type Given, readVariable } from '../../values/settings.ts';
import { boolean, type Parser, reject } from '../../values/values.ts';
import type { KubernetesAddress } from './address.ts';

export interface KubernetesInputs {
  /** The text of a kubeconfig, or the absolute path of one; undefined: the service account of the pod that this runs in. */
  readonly kubeconfig: string | undefined;
  /** undefined: the kubeconfig's current one. */
  readonly context: string | undefined;
  /** The kubeconfig may name programs to run and files to read. */
  readonly allowExec: boolean;
}

/** The text of a kubeconfig, or the absolute path of one. What it holds is checked where it is used. */
const kubeconfig: Parser<string> = (value) => {
  const isText = value.includes('\n') || value.startsWith('{');
  if (isText || (isAbsolute(value) && !value.includes('\0'))) return value;
  const isBase64 = /clusters|apiVersion/.test(Buffer.from(value, 'base64').toString('latin1'));
  const wanted = 'the text of a kubeconfig, or the absolute path of one';
  if (/^~|^\$\w|^%\w|^[A-Za-z]:\\|^\.{0,2}\/|^[\w.-]+\/|\.(ya?ml|conf)$|^config$/.test(value) && value.length < 200) {
    return reject(
      `${wanted}; this is a path that is not absolute: write it from /, with your home folder instead of ~`,
    );
  }
  if (/^https?:\/\//.test(value)) return reject(`${wanted}; this is an address: a kubeconfig names it as server`);
  if (/^[\w.~-]{20,}$/.test(value) && !/clusters|apiVersion/.test(Buffer.from(value, 'base64').toString('latin1'))) {
    return reject(
      `${wanted}; this is one word, such as a token: a kubeconfig names the server and its certificate too`,
    );
  }
  return reject(isBase64 ? `${wanted}; this is one in base64: decode it, as base64 -d does` : wanted);
};

const kubeconfigPath: Parser<string> = (value) => {
  const paths = value.split(delimiter).filter((path) => path !== '');
  if (paths.length > 1)
    return reject('the absolute path of one file; kubectl config view --flatten --raw joins several');
  if (isAbsolute(value)) return value;
  const below = /^(?:~|\$HOME)\/([\w./-]{1,200})$/.exec(value)?.[1];
  if (below !== undefined)
    return reject('an absolute path: ~ and $HOME in quotes stay as they are', `"$HOME/${below}"`);
  const file = /^[\w./-]{1,200}$/.test(value) ? value : 'FILE';
  return reject(`an absolute path outside of the workspace; for a file in it, write --kubeconfig-file ${file}`);
};

/** For the destinations, and for the workloads of `rollout`. */
export function readKubernetes(given: Given, addresses: readonly KubernetesAddress[]): KubernetesInputs {
  const { reader, env, isLaptop } = given;
  const [context, ...others] = new Set(addresses.map((address) => address.context));
  if (others.length > 0) {
    reader.problem('to', 'to has k8s: addresses with different values of ?context=; one step writes to one cluster');
  }
  const isPod = !reader.isGiven('kubeconfig') && !env['KUBECONFIG'] && Boolean(env['KUBERNETES_SERVICE_HOST']);
  if (isPod) {
    reader.forbid(['allow-kube-exec'], 'is read only together with kubeconfig');
    if (context !== undefined) reader.problem('to', '?context= in to is read only together with kubeconfig');
  }
  const source = reader.isGiven('kubeconfig')
    ? reader.optional('kubeconfig', kubeconfig)
    : readVariable(given, 'KUBECONFIG', kubeconfigPath);
  const home = isLaptop && !isPod ? env['HOME'] || env['USERPROFILE'] : undefined;
  return {
    kubeconfig: source ?? (home && join(home, '.kube', 'config')),
    context,
    allowExec: reader.required('allow-kube-exec', boolean) ?? false,
  };
}
