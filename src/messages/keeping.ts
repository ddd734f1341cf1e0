import type { Group } from './message.ts';

const support = 'Avise al soporte técnico, con el paquete de support-bundle.';

/** LedgerError, IntegrityError and DeliveryError: the product's own state, and messages that were not delivered. */
export const keeping = {
  title: 'Registro, comandos y entregas',
  seen: 'En la terminal, en los endpoints de los comandos y en el registro de líneas (`err.code`), para quien opera.',
  entries: {
    'shop-unverified': ['No se logró saber qué tienda responde en una dirección.', 'Nada: sigue solo.'],
    'ledger-missing': ['Todavía no hay registro.', 'Inicie start una vez.'],
    'ledger-open-to-others': [
      'Otros usuarios de la máquina pueden cambiar lo que hay en la carpeta del registro.',
      'Dé la carpeta al usuario que ejecuta facturapuente, o borre de ella lo ajeno que se indica.',
    ],
    'ledger-held': [
      'Otro proceso usa la misma carpeta; se dice cuál y desde cuándo.',
      'Detenga ese proceso, o use PostgreSQL para varios.',
    ],
    'ledger-moved': [
      'El registro de la carpeta se movió a PostgreSQL.',
      'Escriba esa base en ledger.url o DATABASE_URL, y quite ledger.directory.',
    ],
    'ledger-left-behind': [
      'PostgreSQL está vacía y el registro con comprobantes sigue en su carpeta.',
      'Llévelo con move, o saque la carpeta si es de otra instalación.',
    ],
    'ledger-unreachable': [
      'PostgreSQL no se puede usar.',
      'Revise que esté en marcha y que su dirección, usuario y base sean correctos.',
    ],
    'ledger-unwritable': [
      'En el registro no se puede escribir: disco lleno, un servidor que solo deja leer, o un archivo dañado o borrado.',
      'Libere espacio, revise el servidor de PostgreSQL, o restaure el último respaldo (docs/upgrade.md).',
    ],
    'ledger-options': [
      'No se dijo dónde está el registro (al usarlo desde un programa).',
      'Dé directory o url.',
    ],
    'ledger-newer': [
      'Una versión más nueva ya abrió este registro.',
      'Instale esa versión o una posterior (docs/upgrade.md).',
    ],
    'migration-changed': [
      'Una migración ya aplicada se lee hoy distinta.',
      `No use versiones modificadas. ${support}`,
    ],
    'encryption-key': [
      'La clave de cifrado no es la que protegió el registro.',
      'Restaure secret (secret.key o FACTURAPUENTE_SECRET), o añada el anterior en oldSecrets.',
    ],
    'decryption-failed': [
      'Un dato protegido está dañado o fue alterado.',
      'Restaure un respaldo (docs/upgrade.md).',
    ],
    'move-address': [
      'La dirección de destino no es la de una base PostgreSQL.',
      'Escríbala como postgresql://usuario:clave@servidor/base.',
    ],
    'move-unfinished': [
      'El registro comenzó a moverse y no se sabe si llegó; nadie lo usa hasta saberlo.',
      'Repita move con la misma dirección.',
    ],
    'move-target-used': [
      'La base de destino ya tiene otros datos.',
      'Si start ya trabajó con ella, no la vacíe; si no, use otra base o --schema.',
    ],
    'move-differs': ['Lo copiado no es igual; no se movió nada.', `Repita. ${support}`],
    'illegal-move': ['Error interno: un cambio de estado que no puede ser.', support],
    'inside-transaction': ['Error interno: una operación quedó dentro de otra.', support],
    'series-stopped': [
      'La serie está detenida y no entrega números.',
      'Vea el documento ajeno, y configure un primer número libre u otro punto de emisión.',
    ],
    'series-exhausted': ['La serie llegó a su último número.', 'Abra otro punto de emisión y configúrelo.'],
    'order-unknown': [
      'El registro no conoce ese pedido.',
      'Si ya está pagado, ejecute «sync», o espere a que start lo busque.',
    ],
    'order-ambiguous': ['Varias tiendas tienen un pedido con ese número.', 'Indique cuál con --store.'],
    'order-not-asked': [
      'Ese pedido no espera a su comprador.',
      'documents --state held muestra los que esperan.',
    ],
    'document-unknown': ['El registro no tiene ese documento.', 'documents los muestra.'],
    'document-ambiguous': ['Varios documentos llevan ese número.', 'Indique cuál con --store o --kind.'],
    'command-unreadable': [
      'Los datos de un comando no se entienden.',
      'Revise lo que escribió; instale la misma versión en la terminal y en start.',
    ],
    'install-raced': ['Otro install corre al mismo tiempo.', 'Espere a que termine y repita.'],
    'install-no-answer': [
      'Otro proceso tiene el registro y no atiende a la terminal.',
      'Corrija lo que dice el log de start, o deténgalo y repita; si es otro comando, espere.',
    ],
    'admin-unsafe': [
      'Otro usuario de la máquina podría responder en lugar de start: no se le envió nada.',
      'Repita como dueño de la carpeta del registro, o quite el permiso a los demás (chmod 700).',
    ],
    'admin-no-socket': [
      'En la carpeta del registro no puede haber un socket para la terminal.',
      'Use una carpeta de ruta corta en un disco local, o detenga start antes de cada comando.',
    ],
    'admin-place': [
      'En el lugar del socket de start hay otra cosa.',
      'Mueva o borre admin.sock de la carpeta del registro.',
    ],
    'reconciliation-running': ['start está en marcha y ya pregunta a las tiendas.', 'Espere, o deténgalo.'],
    'document-key-taken': [
      'La identidad de un documento nuevo ya es de otro que no es de su pedido.',
      'Nada, si se resuelve solo; si el aviso se repite, escriba a quien mantiene el sistema.',
    ],
    'reconciliation-overtaken': ['Otro proceso busca cambios en la misma tienda.', 'Espere a que termine.'],
    'close-future': ['Ese día todavía no llega en Ecuador.', 'Cierre un día que ya empezó.'],
    'close-store': ['No hay una tienda con ese nombre.', 'Elija una de las que se nombran.'],
    'close-unread': [
      'start respondió otra cosa que un cierre.',
      'Use la misma versión en la terminal y en start.',
    ],
    'export-month': ['No es un mes que ya haya empezado.', 'Escríbalo como 2026-11.'],
    'export-out': [
      'El archivo no se puede escribir donde dice --out (el de export, en la máquina de start).',
      'Cree la carpeta, elija otra, o borre lo que está en ese lugar.',
    ],
    'export-unread': [
      'start respondió otra cosa que una exportación.',
      'Use la misma versión en la terminal y en start.',
    ],
    'service-busy': ['El servicio está ocupado: no hay turno para una descarga.', 'Repita en unos minutos.'],
    'webhook-undelivered': [
      ({ id = 'de notify', host = '', why = '' }: { id?: string; host?: string; why?: string }) =>
        `El webhook ${id}${host && ` (${host})`} no recibió el aviso${why && ` (${why})`}; se intentará de nuevo.`,
      'Revise su dirección, y que responda 2xx; si está en una red privada junto a facturapuente, escríbala en outbound.allow.',
    ],
    'mail-failed': [
      ({ host = '', why = '' }: { host?: string; why?: string }) =>
        `El servidor de correo${host && ` ${host}`} no aceptó el mensaje${why && ` (${why})`}.`,
      'Revise mail.url (smtps://, o un servidor con STARTTLS) y mail.from.',
    ],
    'mail-address': [
      'La dirección de correo no es válida.',
      'Corríjala en el pedido, o copie el enlace y envíelo por otro medio.',
    ],
  },
} satisfies Group;
