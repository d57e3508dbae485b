import { describeGitea } from '../../support/gitea-scenarios.ts';
import { startEmulatedSite } from '../../support/gitea-site.ts';

describeGitea('the emulated Gitea', startEmulatedSite);
