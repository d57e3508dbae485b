import { describeRegistry } from '../../support/registry-scenarios.ts';
import { SmallRegistry } from '../../support/small-servers/registry.ts';

describeRegistry('a small registry', (options) => SmallRegistry.start(options));
