import type { Migration } from '../migrate.ts';

/** The service's own number of the document of an attempt, which its historic reprocessing route asks for. */
export const serviceId: Migration = {
  name: '0024-service-id',
  statements: ({ text }) => [`alter table attempts add column service_id ${text}`],
};
