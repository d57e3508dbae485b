import { delimiter, isAbsolute, join } from 'node:path';
import type { KubernetesInputs } from '../../kubernetes/login.ts';
import { type Given, readVariable } from '../../values/settings.ts';
import { boolean, textThat } from '../../values/values.ts';
import type { KubernetesAddress } from './address.ts';

/**
 * The text of a kubeconfig, or the absolute path of one. `kubernetes/kubeconfig.ts` checks what it
 * contains.
 */
const kubeconfig = textThat((value) => {
  // YAML has several lines; JSON begins with a brace.
  const isText = value.includes('\n') || value.startsWith('{');
  // No file has a NUL in its path: Node would throw its own error for it.
  const isPath = isAbsolute(value) && !value.includes('\0');
  return isText || isPath;
}, 'the text of a kubeconfig, or the absolute path of one; this is neither: a path that is not absolute, a text in base64 (decode it with base64 -d), or one word, such as a token');

const kubeconfigPath = textThat(
  // Kubectl takes a list of files, and joins them; this program does not.
  (value) => isAbsolute(value) && !value.includes(delimiter),
  'the absolute path of one file outside of the workspace, without ~ and $HOME; for a file in the workspace, write --kubeconfig-file FILE; kubectl config view --flatten --raw joins several',
);

/**
 * How the run reaches the cluster, for its destinations and for the workloads of `rollout`: by the
 * input, else by KUBECONFIG, else in a pod by its service account, else on a person's machine by
 * the usual file.
 */
export function readKubernetes(
  given: Given,
  addresses: readonly KubernetesAddress[],
): KubernetesInputs {
  const { reader, env } = given;
  // Many addresses with the same context, or none, are of one cluster.
  const [context, ...others] = new Set(addresses.map((address) => address.context));
  if (others.length > 0) {
    reader.problem(
      'to',
      'to has k8s: addresses with different values of ?context=; one step writes to one cluster',
    );
  }
  // undefined: the value is wrong, which the reader reports.
  const allowExec = reader.required('allow-kube-exec', boolean) ?? false;
  if (reader.isGiven('kubeconfig')) {
    return { kubeconfig: reader.optional('kubeconfig', kubeconfig), context, allowExec };
  }
  // Kubernetes sets KUBERNETES_SERVICE_HOST in every pod.
  const usesServiceAccount = !env['KUBECONFIG'] && env['KUBERNETES_SERVICE_HOST'];
  if (usesServiceAccount) {
    // A service account has neither programs nor contexts.
    reader.forbid(['allow-kube-exec'], 'is read only together with kubeconfig');
    if (context !== undefined) {
      reader.problem('to', '?context= in to is read only together with kubeconfig');
    }
    return { kubeconfig: undefined, context, allowExec };
  }
  // Not on a runner, where another job may have left the file.
  const home = given.isLaptop ? env['HOME'] || env['USERPROFILE'] : undefined;
  const usualPath = home && join(home, '.kube', 'config');
  // undefined: it is not set, or wrong, which the reader reports.
  const namedPath = readVariable(given, 'KUBECONFIG', kubeconfigPath);
  return { kubeconfig: namedPath ?? usualPath, context, allowExec };
}
