import { describeAws } from '../../support/aws-scenarios.ts';
import { SmallAws } from '../../support/small-servers/aws.ts';

describeAws('a small AWS', () => SmallAws.start());
