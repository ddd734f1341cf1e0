import { describe } from 'vitest';
import { hasPostgres, hasRedis } from '../support/servers.ts';
import { dispatchContract } from './dispatch-contract.ts';
import { openWideStreet } from './house.ts';

describe.skipIf(!(hasPostgres && hasRedis))('with servers', () => {
  dispatchContract('PostgreSQL and Redis', openWideStreet);
});
