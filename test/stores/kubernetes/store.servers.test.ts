import { describeCluster } from '../../support/kubernetes-scenarios.ts';
import { SmallCluster } from '../../support/small-servers/kubernetes.ts';

describeCluster('a small cluster', () => SmallCluster.start());
