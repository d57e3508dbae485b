import { describeCluster } from '../../support/kubernetes-scenarios.ts';
import { KubernetesServer } from '../../support/real-servers/kubernetes.ts';

describeCluster('a real cluster', () => KubernetesServer.start());
