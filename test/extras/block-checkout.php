<?php
/**
 * Prints what the plugin's block checkout makes of one order, as JSON. Argument: JSON with the options of the site, the
 * metas of the order, the route of the request, the fields as posted, and whether the pasted snippet is there.
 */
define( 'ABSPATH', __DIR__ );
$given = json_decode( $argv[1], true );
if ( $given['snippet'] ) {
	function facturapuente_es_identificacion() {
		return true;
	}
}
function get_option( $name, $default ) {
	global $given;
	return isset( $given['options'][ $name ] ) ? $given['options'][ $name ] : $default;
}
function __( $text ) {
	return $text;
}

/** WooCommerce: a cart of one thing that is shipped, or none, where an order is paid. */
class WooCommerce {
	public $cart;
	public $customer;
	public function is_store_api_request() {
		return true;
	}
	public function needs_shipping() {
		return true;
	}
	public function get_total() {
		return '80.00';
	}
	public function __call( $name, $arguments ) {
		return 'get_billing_country' === $name ? 'EC' : '';
	}
}
function WC() {
	static $shop = null;
	$shop        = $shop ?: new WooCommerce();
	return $shop;
}
class WC_Order {
	public $metas;
	public function get_billing_country() {
		return 'EC';
	}
	public function get_total() {
		return '80.00';
	}
	public function get_meta( $key ) {
		return isset( $this->metas[ $key ] ) ? $this->metas[ $key ] : '';
	}
	public function update_meta_data( $key, $value ) {
		$this->metas[ $key ] = $value;
	}
	public function delete_meta_data( $key ) {
		unset( $this->metas[ $key ] );
	}
}
class Request {
	public function get_route() {
		global $given;
		return $given['route'];
	}
	public function get_param() {
		return null;
	}
	public function get_method() {
		return 'POST';
	}
}
class Errors {
	public $said = array();
	public function add( $code, $text ) {
		$this->said[] = $text;
	}
}

$includes = __DIR__ . '/../../extras/woocommerce/facturapuente/includes/class-';
foreach ( array( 'identification', 'settings', 'rules', 'order-identification', 'block-checkout' ) as $name ) {
	require $includes . $name . '.php';
}

WC()->cart     = preg_match( '/\d$/', $given['route'] ) ? null : WC();
WC()->customer = WC();
$order         = new WC_Order();
$order->metas  = $given['metas'];
$errors        = new Errors();
Facturapuente\Block_Checkout::remember_checkout( null, null, new Request() );
Facturapuente\Block_Checkout::validate( $errors, $given['fields'] );
Facturapuente\Block_Checkout::settle( $order );
echo json_encode( array( 'metas' => (object) $order->metas, 'errors' => $errors->said ) );
