import type { Message } from './message.ts';

const renew =
  'Suba la firma electrónica vigente del emisor en el panel del servicio de facturación, o con install --signature.';
const ruc = 'Regularice el RUC del emisor en el SRI.';
const ourselves = 'Avise a quien mantiene facturapuente, con el texto del SRI; si urge, emita a mano.';
const rightId =
  'Pida al comprador su número correcto, corríjalo en el pedido y reintente el documento (retry).';

/**
 * Ficha técnica de comprobantes electrónicos, esquema offline, v2.32 (October 2025), section 11, read on 2026-11-20. Version
 * 2.34 (2026-07-27) is known from secondary sources only, which name no other code.
 */
export const authority = {
  '2': ['El RUC del emisor no está activo.', ruc],
  '10': ['El establecimiento del emisor está clausurado.', 'Pida al SRI que lo reabra.'],
  '26': [
    'El documento es más grande de lo que admite el SRI (320 kB).',
    'Emita la venta a mano en varias facturas.',
  ],
  '27': [
    'La clase de contribuyente del emisor no puede emitir comprobantes electrónicos.',
    'Consulte en el SRI la clase de contribuyente de ese RUC.',
  ],
  '28': ['El emisor no ha aceptado el acuerdo de medios electrónicos.', 'Acéptelo en SRI en línea.'],
  '34': [
    'El emisor no pidió autorización para este tipo de comprobante.',
    'Solicite en SRI en línea la emisión de facturas y de notas de crédito, en este ambiente.',
  ],
  '35': [
    'Un dato del documento no tiene la forma que pide el SRI; el texto del SRI dice cuál.',
    'Corrija ese dato en el pedido o en la configuración y reintente el documento (retry).',
  ],
  '36': ['La versión del formato del documento ya no se acepta.', ourselves],
  '37': ['El emisor no tiene autorización para emitir comprobantes electrónicos.', 'Pídala en SRI en línea.'],
  '39': ['La firma electrónica no es válida.', renew],
  '40': ['El certificado de la firma electrónica tiene un error.', renew],
  '42': ['El certificado de la firma electrónica caducó o fue revocado.', renew],
  '43': ['El SRI ya tiene registrada esta clave de acceso.', 'Nada: se averigua si está autorizada.'],
  '45': [
    'El SRI ya tiene registrado este número.',
    'Nada: se busca con qué clave; si no aparece, el documento lo pide.',
  ],
  // The ficha explains it by the issuer's RUC alone; shops report it for the buyer's.
  '46': [
    'Un RUC del documento no existe en el SRI: según su ficha técnica, el del emisor.',
    'Compare el RUC del emisor con el del portal del SRI. Si el texto nombra el del comprador, pídale el correcto y corríjalo en el pedido. Después reintente el documento (retry).',
  ],
  '47': ['El SRI no conoce ese tipo de comprobante.', ourselves],
  '48': ['El SRI no conoce el formato de ese tipo de comprobante.', ourselves],
  '49': [
    'El SRI recibió un envío vacío.',
    'Reintente el documento (retry); si se repite, avise al servicio de facturación.',
  ],
  '50': ['El SRI tuvo un error interno.', 'Nada: se intenta otra vez.'],
  '52': [
    'Los totales del documento no suman lo que calcula el SRI.',
    'Revise en el pedido los precios, descuentos e impuestos que dice el texto; si son correctos, emita a mano y avise a quien mantiene facturapuente.',
  ],
  '56': ['El establecimiento está cerrado en el RUC.', 'Ábralo en el SRI o emita desde otro.'],
  '57': ['La autorización del emisor está suspendida.', 'Regularícela en el SRI.'],
  '58': ['La clave de acceso no corresponde a los datos del documento.', ourselves],
  '59': [
    'Advertencia: la identificación del comprador no existe; el documento está autorizado.',
    'Confirme el número con el comprador; si es otro, anule o acredite la factura y emita otra.',
  ],
  '60': ['Advertencia: el documento es del ambiente de pruebas y no tiene valor tributario.', 'Nada.'],
  '62': [
    'Advertencia: la identificación del comprador tiene un dígito equivocado; el documento está autorizado.',
    'Confirme el número con el comprador; si es otro, anule o acredite la factura y emita otra.',
  ],
  '63': ['El RUC del emisor está clausurado.', ruc],
  '64': ['El SRI no conoce el tipo de documento que se modifica.', ourselves],
  '65': ['La fecha de emisión ya no es la de hoy.', 'Nada: sale otra vez con la fecha de hoy.'],
  '67': ['La fecha del documento no tiene la forma que pide el SRI.', ourselves],
  '68': [
    'Advertencia: el documento que se modifica no existe como electrónico; la nota de crédito está autorizada.',
    'Compruebe en el portal del SRI el número de la factura que corrige.',
  ],
  '69': ['La identificación del comprador no existe para el SRI; en general, su RUC.', rightId],
  '70': ['El SRI todavía procesa esta clave de acceso.', 'Nada: se espera.'],
  '80': [
    'La clave de acceso con que se consultó no tiene 49 dígitos.',
    'Revise la clave que se dio con adopt.',
  ],
  '82': ['La fecha de inicio del transporte es anterior a la emisión de la guía.', ourselves],
  '92': [
    'El monto de devolución del IVA no es el que autorizó el SRI.',
    'Emita esta factura a mano con el monto autorizado.',
  ],
} as const satisfies Readonly<Record<string, Message>>;

/** Sent with an authorised document: no reason why one is refused. */
export const authorityWarnings: readonly string[] = ['59', '60', '62', '68'];
