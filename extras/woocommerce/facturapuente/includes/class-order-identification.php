<?php
/**
 * The identification on an order: where it stands, and that every place says the same.
 *
 * @package Facturapuente
 */

namespace Facturapuente;

defined( 'ABSPATH' ) || exit;

/**
 * Keeps type and number under the keys of the block checkout's fields, which facturapuente reads without a setting.
 */
final class Order_Identification {

	const TYPE_FIELD   = 'facturapuente/tipo-identificacion';
	const NUMBER_FIELD = 'facturapuente/identificacion';
	const TYPE_META    = '_wc_other/facturapuente/tipo-identificacion';
	const NUMBER_META  = '_wc_other/facturapuente/identificacion';
	const NAME_FIELD   = 'facturapuente/razon-social';
	const NAME_META    = '_wc_other/facturapuente/razon-social';

	/** Other keys that facturapuente reads before ours: the pasted snippet, Contífico, Dátil, field editors and themes. */
	const OTHER_KEYS = array(
		'_billing_identificacion',
		'billing_identificacion',
		'_billing_tax_id',
		'_billing_cedula',
		'billing_cedula',
		'_billing_ruc',
		'billing_ruc',
		'_billing_ci_ruc',
		'billing_ci_ruc',
		'_billing_cedula_ruc',
		'billing_cedula_ruc',
		'_billing_ruc_cedula',
		'billing_ruc_cedula',
		'_billing_numero_identificacion',
		'C.I. / RUC',
		'cedula',
		'ruc',
		'identificacion',
	);

	/** Hooks. */
	public static function init() {
		add_filter( 'woocommerce_get_default_value_for_' . self::NUMBER_FIELD, array( __CLASS__, 'default_number' ), 10, 3 );
		add_filter( 'woocommerce_admin_billing_fields', array( __CLASS__, 'add_to_order_screen' ), 20, 3 );
		add_action( 'woocommerce_process_shop_order_meta', array( __CLASS__, 'settle_edited' ), 60 );
	}

	/**
	 * Edits the identification of any order, under Billing. WooCommerce shows its own fields only on orders of the block
	 * checkout, and only those that were filled in.
	 *
	 * @param array           $fields  Fields.
	 * @param \WC_Order|mixed $order   Order.
	 * @param string          $context view or edit.
	 * @return array
	 */
	public static function add_to_order_screen( $fields, $order = null, $context = 'edit' ) {
		if ( ! $order instanceof \WC_Order ) {
			return $fields;
		}
		list( $type, $number ) = self::of( $order );
		$types                 = array( '' => '—' ) + Rules::types() + array( Rules::FINAL_CONSUMER => __( 'Consumidor final', 'facturapuente' ) );

		$common = array(
			'show'            => true,
			'wrapper_class'   => 'form-field-wide',
			'update_callback' => array( __CLASS__, 'update_from_order_screen' ),
		);

		$fields[ self::TYPE_FIELD ]   = $common + array(
			'id'      => self::TYPE_META,
			'label'   => __( 'Identification for the factura', 'facturapuente' ),
			'type'    => 'select',
			'class'   => 'select short',
			'options' => $types,
			'value'   => 'view' !== $context ? $type : ( '' === $type ? '' : $types[ $type ] ),
		);
		$fields[ self::NUMBER_FIELD ] = $common + array(
			'id'    => self::NUMBER_META,
			'label' => __( 'Number of the identification', 'facturapuente' ),
			'type'  => 'text',
			'value' => $number,
		);
		$fields[ self::NAME_FIELD ]   = $common + array(
			'id'    => self::NAME_META,
			'label' => __( 'Razón social', 'facturapuente' ),
			'type'  => 'text',
			'value' => self::text( $order, self::NAME_META ),
		);
		return $fields;
	}

	/**
	 * Keeps what was typed; settle_edited() gives it its plain form. WooCommerce has checked nonce and capability.
	 *
	 * @param string    $key   Meta key.
	 * @param mixed     $value Cleaned.
	 * @param \WC_Order $order Order.
	 */
	public static function update_from_order_screen( $key, $value, $order ) {
		$value = is_string( $value ) ? trim( $value ) : '';
		if ( self::text( $order, $key ) !== $value ) {
			$order->update_meta_data( $key, $value );
		}
	}

	/**
	 * Type and number on an order.
	 *
	 * @param \WC_Order $order Order.
	 * @return array{0: string, 1: string}
	 */
	public static function of( $order ) {
		$number = self::text( $order, self::NUMBER_META );
		$type   = self::text( $order, self::TYPE_META );
		if ( '' === $number ) {
			$number = self::elsewhere( $order );
		}
		if ( '' === $type && '' !== $number ) {
			$type = (string) Identification::examine( $number )['type'];
			$type = '' === $type ? 'cedula' : $type;
		}
		return array( $type, $number );
	}

	/**
	 * The name of the company on an order, where the factura looks for it.
	 *
	 * @param \WC_Order $order Order.
	 * @return string
	 */
	public static function company_of( $order ) {
		$name = self::text( $order, self::NAME_META );
		return '' === $name ? trim( $order->get_billing_company() ) : $name;
	}

	/**
	 * Writes type, number and razón social onto an order, without saving it.
	 *
	 * @param \WC_Order $order  Order.
	 * @param string    $type   Type.
	 * @param string    $number Number.
	 * @param string    $name   Razón social; kept with a RUC only.
	 */
	public static function set( $order, $type, $number, $name ) {
		list( $type, $number ) = Rules::settle( $type, $number );
		$order->update_meta_data( self::TYPE_META, $type );
		$order->update_meta_data( self::NUMBER_META, $number );
		if ( 'ruc' === $type && '' !== trim( $name ) ) {
			$order->update_meta_data( self::NAME_META, trim( $name ) );
		} else {
			$order->delete_meta_data( self::NAME_META );
		}
	}

	/**
	 * What another field of the shop says, for an order that was made before or without this plugin.
	 *
	 * @param mixed    $value  Default.
	 * @param string   $group  Group of the field.
	 * @param \WC_Data $object Order or customer.
	 * @return mixed
	 */
	public static function default_number( $value, $group, $object ) {
		if ( null !== $value && '' !== $value ) {
			return $value;
		}
		$found = $object instanceof \WC_Order ? self::elsewhere( $object ) : self::text( $object, 'billing_identificacion' );
		return '' === $found ? $value : $found;
	}

	/**
	 * After the order screen was saved: the plain form of what was typed, in every place where the order has one. A field of
	 * another plugin that kept the old number would be believed first.
	 *
	 * @param int $order_id Order.
	 */
	public static function settle_edited( $order_id ) {
		$order = wc_get_order( $order_id );
		if ( ! $order instanceof \WC_Order || ! current_user_can( 'edit_shop_orders' ) ) {
			return;
		}
		$type   = self::text( $order, self::TYPE_META );
		$number = self::text( $order, self::NUMBER_META );
		if ( '' === $number && Rules::FINAL_CONSUMER !== $type ) {
			if ( '' !== $type ) {
				$order->delete_meta_data( self::TYPE_META );
				$order->save();
			}
			return;
		}
		if ( '' === $type ) {
			$type = 'cedula';
		}
		self::set( $order, $type, $number, self::text( $order, self::NAME_META ) );
		$number = self::text( $order, self::NUMBER_META );
		foreach ( self::OTHER_KEYS as $key ) {
			$other = self::text( $order, $key );
			if ( '' !== $other && $other !== $number ) {
				$order->update_meta_data( $key, $number );
			}
		}
		$order->save();
		$flaw = Rules::flaw( $type, $number, false, self::phones( $order ), self::company_of( $order ) );
		if ( '' !== $flaw && class_exists( 'WC_Admin_Meta_Boxes' ) ) {
			\WC_Admin_Meta_Boxes::add_error( $flaw );
		}
	}

	/**
	 * The telephones of an order.
	 *
	 * @param \WC_Order $order Order.
	 * @return string[]
	 */
	public static function phones( $order ) {
		return array( $order->get_billing_phone(), $order->get_shipping_phone() );
	}

	/**
	 * The first of the other keys that has a value.
	 *
	 * @param \WC_Order $order Order.
	 * @return string
	 */
	private static function elsewhere( $order ) {
		foreach ( self::OTHER_KEYS as $key ) {
			$value = self::text( $order, $key );
			if ( '' !== $value ) {
				return $value;
			}
		}
		return '';
	}

	/**
	 * A meta value as text; lists are none.
	 *
	 * @param \WC_Data $object Order or customer.
	 * @param string   $key    Key.
	 * @return string
	 */
	private static function text( $object, $key ) {
		$value = $object->get_meta( $key );
		return is_scalar( $value ) ? trim( (string) $value ) : '';
	}
}
