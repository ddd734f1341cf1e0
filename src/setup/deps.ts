import type { InstallItem } from '../domain/platform.ts';
import type { Params } from '../messages/message.ts';
import type { Failure, Refused, ServiceCalls } from '../service/index.ts';
import type { Records } from './records.ts';

export interface SetupDeps {
  service: ServiceCalls;
  records: Records;
  now: Date;
  /** False only checks. A second run with true changes nothing. */
  apply: boolean;
  /** Replaces what another system set in the service: a company's data, the account's webhook. */
  replace: boolean;
  resend: boolean;
  production: boolean;
}

type AsksService = 'account-api-key' | 'service-webhook' | 'company' | 'signature' | 'logo';

export function failed(code: AsksService, params: Params, answer: Refused | Failure): InstallItem {
  const errors = answer.kind === 'refused' ? answer.errors : [];
  return { code, state: 'problem', params: { ...params, why: 'service', answer: answer.kind, errors } };
}
