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

/** Every operation of the service, in the order of the specification. */
export function allOperations({ settings }: Pick<World, 'settings'>): readonly Operation[] {
  return [
    ...companyOperations,
    ...emissionOperations(settings.otherDocumentPaths),
    ...documentOperations,
    ...reprocessOperations,
    ...webhookOperations,
    ...creditOperations,
    ...registryOperations,
    ...verificationOperations,
    ...publicOperations,
  ];
}
