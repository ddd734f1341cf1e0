import { type Check, unseen } from '../check.ts';

const rows: readonly { id: string; row: string; title: string; why: string; inferred?: `A${number}` }[] = [
  {
    id: 'produccion',
    row: 'Key rules, ambiente 2; Errors, 8',
    title: 'ambiente 2 pide datos de proveedor aprobados y cobra un crédito por documento autorizado',
    why: 'La revisión nunca usa ambiente 2: allí los documentos son reales.',
  },
  {
    id: 'produccion-sin-creditos',
    row: 'Key rules, ambiente 2',
    title: 'ambiente 2 sin créditos responde creado=false',
    why: 'La revisión nunca usa ambiente 2.',
    inferred: 'A17',
  },
  {
    id: 'vencimiento-de-creditos',
    row: 'Limits, Billing wallet credits',
    title: 'los créditos valen 12 meses desde cada recarga',
    why: 'Habría que recargar y esperar un año.',
  },
  {
    id: 'veinte-consultas-gratis',
    row: 'Limits, Free registry queries',
    title: 'hay 20 consultas gratis al mes y se reponen el día 1',
    why: 'Habría que gastarlas todas.',
  },
  {
    id: 'cinco-intentos',
    row: 'Limits, Webhook response time',
    title: 'hay cinco intentos, tras 1, 5, 15 y 60 minutos, y 25 segundos para responder',
    why: 'Habría que esperar más de una hora; el primer reintento se mira en Entregas del webhook.',
  },
  {
    id: 'firma-pesada',
    row: 'Limits, Signature file (.p12)',
    title: 'la firma pesa como mucho 10 MB',
    why: 'Un archivo así se rechaza también por no ser una firma: no se sabría por qué.',
  },
  {
    id: 'error-500',
    row: 'Endpoints, POST /api/factura/emision (500)',
    title: 'un error interno trae creado=false, claveacceso y errors',
    why: 'No se puede provocar desde fuera.',
  },
  {
    id: 'evento-tras-reproceso',
    row: 'Events, comprobante.error',
    title: 'el evento de un primer error puede llegar después del reproceso',
    why: 'Habría que causar un error cuya causa desaparece.',
    inferred: 'A31',
  },
  {
    id: 'servidor-mcp',
    row: 'Authentication, 2; Key rules, MCP server',
    title: 'el servidor MCP toma Bearer o X-API-KEY y emite en ambiente 1',
    why: 'Está en otra dirección y habla otro protocolo.',
  },
  {
    id: 'nombres-de-operaciones',
    row: 'Versioning, operationId',
    title: 'las operaciones llevan los nombres supuestos',
    why: 'Los nombres no viajan por HTTP.',
    inferred: 'A23',
  },
  {
    id: 'ice-irbpnr',
    row: 'Item block, tipo_ice, tipo_irbpnr, subsidio',
    title: 'ICE, IRBPNR, subsidio y descuento_adicional se toman como los suponemos',
    why: 'Dependen de lo que el emisor esté autorizado a vender.',
    inferred: 'A20',
  },
  {
    id: 'correo-al-comprador',
    row: 'Buyer block, correo',
    title: 'el servicio escribe al comprador a lo sumo a la dirección de correo que recibe',
    why: 'Los correos llegan a otro buzón, no a quien llama al servicio.',
    inferred: 'A32',
  },
  {
    id: 'anulado-en-el-portal',
    row: 'Paths known, GET /api/comprobante/consulta/{claveacceso}',
    title: 'la consulta dice «Anulado» de lo que el emisor anuló en el portal del SRI',
    why: 'Solo se anula a mano, en el portal.',
    inferred: 'A34',
  },
  {
    id: 'firma-verdadera',
    row: 'Endpoints, POST /api/empresa/subirfirma (200)',
    title: 'una firma electrónica con su contraseña se guarda',
    why: 'Haría falta una firma verdadera.',
  },
];

/** Rows of the specification that cannot be checked from outside; they are listed as such. */
export const outOfSightChecks: readonly Check[] = rows.map(({ why, ...row }) => ({
  ...row,
  section: 'Fuera de la vista',
  run: () => unseen(why),
}));
