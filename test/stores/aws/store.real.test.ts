import { describeAws } from '../../support/aws-scenarios.ts';
import { MotoServer } from '../../support/real-servers/moto.ts';

describeAws('moto', () => MotoServer.start());
