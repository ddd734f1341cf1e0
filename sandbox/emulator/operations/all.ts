import { type Dialect, dialects } from '../dialects.ts';
import type { Operation } from '../operation.ts';
import type { World } from '../world.ts';
import { documentOperations } from './comprobante.ts';
import { registryOperations } from './consultas.ts';
import { creditOperations } from './creditos.ts';
import { emissionOperations } from './emision.ts';
import { companyOperations } from './empresa.ts';
import { publicOperations } from './publico.ts';
import { reprocessOperations } from './reprocesar.ts';
import { verificationOperations } from './verificaciones.ts';
import { webhookOperations } from './webhook.ts';

/** Every operation of the service, in the order of the specification and as its dialect answers it. */
export function allOperations({ settings }: Pick<World, 'settings'>): readonly Operation[] {
  const dialect = dialects[settings.dialect];
  return [
    ...companyOperations,
    ...emissionOperations(settings),
    ...documentOperations,
    ...reprocessOperations,
    ...webhookOperations,
    ...creditOperations,
    ...registryOperations,
    ...verificationOperations,
    ...publicOperations,
  ].map((operation) => inDialect(operation, dialect));
}

function inDialect(operation: Operation, dialect: Dialect): Operation {
  const answers = Object.entries(operation.answers).map(([status, answer]) => {
    const json = dialect.answers[operation.id]?.[Number(status)];
    return [status, json === undefined ? answer : { ...answer, json }];
  });
  return { ...operation, answers: Object.fromEntries(answers) };
}
