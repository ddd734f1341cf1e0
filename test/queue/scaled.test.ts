import { describe } from 'vitest';
import { hasPostgres, hasRedis } from '../support/servers.ts';
import { dispatchContract } from './dispatch-contract.ts';
import { openScaled } from './installation.ts';

describe.skipIf(!(hasPostgres && hasRedis))('with servers', () => {
  dispatchContract('PostgreSQL and Redis', openScaled);
});
