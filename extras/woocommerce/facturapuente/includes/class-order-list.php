<?php
/**
 * The column and the filter of the list of orders, with both storages of orders.
 *
 * @package Facturapuente
 */

namespace Facturapuente;

defined( 'ABSPATH' ) || exit;

/**
 * Factura and state beside the status of the order.
 */
final class Order_List {

	const COLUMN = 'facturapuente';
	const FILTER = 'facturapuente_estado';

	/** Hooks. */
	public static function init() {
		// Orders in tables of their own.
		add_filter( 'manage_woocommerce_page_wc-orders_columns', array( __CLASS__, 'add_column' ) );
		add_action( 'manage_woocommerce_page_wc-orders_custom_column', array( __CLASS__, 'show_column' ), 10, 2 );
		add_action( 'woocommerce_order_list_table_restrict_manage_orders', array( __CLASS__, 'show_filter' ) );
		add_filter( 'woocommerce_shop_order_list_table_prepare_items_query_args', array( __CLASS__, 'filter_orders' ) );
		// Orders as posts.
		add_filter( 'manage_edit-shop_order_columns', array( __CLASS__, 'add_column' ) );
		add_action( 'manage_shop_order_posts_custom_column', array( __CLASS__, 'show_column' ), 10, 2 );
		add_action( 'restrict_manage_posts', array( __CLASS__, 'show_filter' ) );
		add_filter( 'request', array( __CLASS__, 'filter_posts' ) );
	}

	/**
	 * After the status.
	 *
	 * @param array $columns Columns.
	 * @return array
	 */
	public static function add_column( $columns ) {
		$all = array();
		foreach ( $columns as $key => $label ) {
			$all[ $key ] = $label;
			if ( 'order_status' === $key ) {
				$all[ self::COLUMN ] = __( 'Factura', 'facturapuente' );
			}
		}
		return $all + array( self::COLUMN => __( 'Factura', 'facturapuente' ) );
	}

	/**
	 * One row.
	 *
	 * @param string        $column        Column.
	 * @param int|\WC_Order $id_or_order Its order.
	 */
	public static function show_column( $column, $id_or_order ) {
		if ( self::COLUMN !== $column ) {
			return;
		}
		$order = $id_or_order instanceof \WC_Order ? $id_or_order : wc_get_order( $id_or_order );
		if ( ! $order instanceof \WC_Order ) {
			return;
		}
		$state = Documents::state( $order );
		if ( '' === $state ) {
			echo '<span aria-hidden="true">—</span>';
			return;
		}
		$factura = Documents::factura( $order );
		if ( $factura && '' !== $factura['pdf'] ) {
			echo '<a href="' . esc_url( $factura['pdf'] ) . '" target="_blank" rel="noopener">' . esc_html( '' === $factura['number'] ? Documents::says( $state ) : $factura['number'] ) . '</a>';
			return;
		}
		echo '<mark class="order-status status-' . esc_attr( Documents::STATES[ $state ] ) . '"><span>' . esc_html( Documents::says( $state ) ) . '</span></mark>';
	}

	/**
	 * The choice above the list.
	 *
	 * @param string $type Type of post or order.
	 */
	public static function show_filter( $type ) {
		if ( 'shop_order' !== $type ) {
			return;
		}
		$chosen = self::chosen();
		echo '<select name="' . esc_attr( self::FILTER ) . '" aria-label="' . esc_attr__( 'Factura', 'facturapuente' ) . '">';
		echo '<option value="">' . esc_html__( 'Any factura', 'facturapuente' ) . '</option>';
		foreach ( array_merge( array( 'none' ), array_keys( Documents::STATES ) ) as $state ) {
			/* translators: %s: state of the factura */
			$label = sprintf( __( 'Factura: %s', 'facturapuente' ), Documents::says( 'none' === $state ? '' : $state ) );
			echo '<option value="' . esc_attr( $state ) . '"' . selected( $chosen, $state, false ) . '>' . esc_html( $label ) . '</option>';
		}
		echo '</select>';
	}

	/**
	 * Orders in tables of their own.
	 *
	 * @param array $args Query.
	 * @return array
	 */
	public static function filter_orders( $args ) {
		return self::with_state( $args );
	}

	/**
	 * Orders as posts.
	 *
	 * @param array $vars Query.
	 * @return array
	 */
	public static function filter_posts( $vars ) {
		global $typenow;
		return is_admin() && 'shop_order' === $typenow ? self::with_state( $vars ) : $vars;
	}

	/**
	 * Adds the chosen state to a query.
	 *
	 * @param array $args Query.
	 * @return array
	 */
	private static function with_state( $args ) {
		$state = self::chosen();
		if ( '' === $state ) {
			return $args;
		}
		$meta_query         = isset( $args['meta_query'] ) ? (array) $args['meta_query'] : array();
		$meta_query[]       = 'none' === $state ? array(
			'key'     => Documents::STATE_META,
			'compare' => 'NOT EXISTS',
		) : array(
			'key'   => Documents::STATE_META,
			'value' => $state,
		);
		$args['meta_query'] = $meta_query; // phpcs:ignore WordPress.DB.SlowDBQuery.slow_db_query_meta_query
		return $args;
	}

	/**
	 * The state in the address; only reads, so it needs no nonce.
	 *
	 * @return string
	 */
	private static function chosen() {
		// phpcs:ignore WordPress.Security.NonceVerification.Recommended
		$state = isset( $_GET[ self::FILTER ] ) ? sanitize_text_field( wp_unslash( $_GET[ self::FILTER ] ) ) : '';
		return 'none' === $state || isset( Documents::STATES[ $state ] ) ? $state : '';
	}
}
