import { KubernetesServer } from '../../support/real-servers/kubernetes.ts';
import { describeRollouts } from '../../support/rollout-scenarios.ts';

describeRollouts('a real cluster', () => KubernetesServer.start());
