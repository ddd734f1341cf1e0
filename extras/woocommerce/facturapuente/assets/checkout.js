/* Classic checkout: shows the fields where the server asks for them, and number and razón social where the type has them. */
jQuery(($) => {
  const type = $('#facturapuente_tipo');
  if (!type.length) return;
  const number = $('#facturapuente_numero_field');
  const name = $('#facturapuente_razon_social_field');
  const rows = $('#facturapuente_tipo_field').add(number).add(name);
  function show() {
    const state = $('#facturapuente-state');
    const asks = state.data('asks') !== 0;
    const required = state.data('required') === 1;
    type.find('option[value="consumidor-final"]').prop('disabled', required);
    if (required && type.val() === 'consumidor-final') type.val('');
    rows.toggle(asks);
    number.toggle(asks && !['', 'consumidor-final'].includes(type.val()));
    name.toggle(asks && type.val() === 'ruc');
    type.closest('.form-row').find('.optional').toggle(!required);
    number.add(name).find('.optional').hide();
  }
  type.on('change', show);
  $(document.body).on('updated_checkout', show);
  show();
});
