import { describe } from 'vitest';
import { hasServers } from '../support/servers.ts';
import { dispatchContract } from './dispatch-contract.ts';
import { openScaled } from './installation.ts';

describe.skipIf(!hasServers)('with servers', () => {
  dispatchContract('PostgreSQL and Redis', openScaled);
});
