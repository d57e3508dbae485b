import { describeRollouts } from '../../support/rollout-scenarios.ts';
import { SmallCluster } from '../../support/small-servers/kubernetes.ts';

describeRollouts('a small cluster', () => SmallCluster.start());
