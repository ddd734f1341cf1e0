<?php
/**
 * Prints what the plugin's block checkout makes of some orders, as JSON. Argument: a JSON list of the options of the
 * site, the metas of the order, the route of the request, the fields as posted, and whether the pasted snippet is
 * there; orders with it come last.
 */
define( 'ABSPATH', __DIR__ );
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

function place( $given ) {
	if ( $given['snippet'] && ! function_exists( 'facturapuente_es_identificacion' ) ) {
		function facturapuente_es_identificacion() {
			return true;
		}
	}
	WC()->cart     = preg_match( '/\d$/', $given['route'] ) ? null : WC();
	WC()->customer = WC();
	$order         = new WC_Order();
	$order->metas  = $given['metas'];
	$errors        = new Errors();
	Facturapuente\Block_Checkout::remember_checkout( null, null, new Request() );
	Facturapuente\Block_Checkout::validate( $errors, $given['fields'] );
	Facturapuente\Block_Checkout::settle( $order );
	return array( 'metas' => (object) $order->metas, 'errors' => $errors->said );
}

$said = array();
foreach ( json_decode( $argv[1], true ) as $given ) {
	$said[] = place( $given );
}
echo json_encode( $said );
