import { leastCharacters } from './people.ts';

export const passwordPaths = {
  change: '/clave',
  forgotten: '/clave-olvidada',
  renewed: '/clave-nueva',
} as const;

export const linkMinutes = 30;
export const lettersForName = 3;

export const passwordWords = {
  own: {
    title: 'Contraseña',
    lead: 'Al cambiarla terminan sus demás sesiones.',
    present: 'Contraseña actual',
    fresh: 'Contraseña nueva',
    again: 'Repita la contraseña nueva',
    hint: `${leastCharacters} caracteres o más; puede ser una frase.`,
    submit: 'Cambiar la contraseña',
    flawed: 'La contraseña no se cambió',
    back: 'Volver a Seguridad',
    changed: 'Su contraseña se cambió, y sus demás sesiones terminaron.',
  },
  flaws: {
    different: 'Las dos contraseñas nuevas no coinciden.',
    same: 'La contraseña nueva es la misma que la actual.',
    present: 'La contraseña actual no es correcta.',
    busy: 'Muchas personas están iniciando sesión a la vez. Intente de nuevo en unos segundos.',
    'too-many': 'Hubo demasiados intentos. Espere quince minutos antes de volver a intentarlo.',
  },
  forgotten: {
    link: '¿Olvidó su contraseña?',
    title: 'Pida una contraseña nueva',
    lead: 'Escriba su usuario. Le enviaremos un enlace al correo que tiene en la configuración de facturapuente.',
    user: 'Usuario',
    submit: 'Enviar el enlace',
    back: 'Volver al inicio de sesión',
    sentTitle: 'Revise su correo',
    sent: `Si ese usuario existe y tiene un correo, le llegará un enlace que sirve ${linkMinutes} minutos. Revise también el correo no deseado.`,
    none: `En una hora se envían hasta ${lettersForName}. Si no llega ninguno, pida una contraseña nueva a quien administra facturapuente.`,
  },
  renewed: {
    title: 'Escriba su contraseña nueva',
    lead: (user: string) => `Para el usuario ${user}. Todas sus sesiones terminarán.`,
    submit: 'Guardar la contraseña',
    done: 'La contraseña se cambió',
    doneLead:
      'Entre con su contraseña nueva. Si usa la verificación en dos pasos, también le hará falta su código.',
    enter: 'Entrar al panel',
    gone: 'Este enlace ya no sirve',
    goneLead: `El enlace sirve ${linkMinutes} minutos y una sola vez. Si ya se usó o venció, o si su contraseña cambió después, pida otro.`,
    another: 'Pedir otro enlace',
  },
  letter: {
    subject: 'Su contraseña del panel de facturapuente',
    asked: (user: string) =>
      `Alguien pidió una contraseña nueva para el usuario «${user}» del panel de facturapuente. Si fue usted, escríbala aquí:`,
    lasts: `El enlace sirve ${linkMinutes} minutos y una sola vez. No lo comparta: quien lo abre puede cambiar su contraseña.`,
    ignore: 'Si no lo pidió, no haga nada: su contraseña sigue siendo la misma.',
  },
};
