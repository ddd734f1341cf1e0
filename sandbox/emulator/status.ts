/** How a service can be doing (assumption A27). */
export const statusWords = ['operativo', 'degradado', 'caido'] as const;
export type StatusWord = (typeof statusWords)[number];

/** What the public status route says of the service and of the tax authority behind it; only words. */
export interface ServiceStatus {
  estado: StatusWord;
  sri: { recepcion: StatusWord; autorizacion: StatusWord };
}

/** Everything works. */
export const allWell = (): ServiceStatus => ({
  estado: 'operativo',
  sri: { recepcion: 'operativo', autorizacion: 'operativo' },
});
