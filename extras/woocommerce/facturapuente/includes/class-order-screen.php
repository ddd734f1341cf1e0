<?php
/**
 * The box on the order screen, with both storages of orders.
 *
 * @package Facturapuente
 */

namespace Facturapuente;

defined( 'ABSPATH' ) || exit;

/**
 * State, number, PDF, reason and what to do.
 */
final class Order_Screen {

	/** Hooks. */
	public static function init() {
		add_action( 'add_meta_boxes', array( __CLASS__, 'add_box' ) );
		add_action( 'admin_enqueue_scripts', array( __CLASS__, 'enqueue' ) );
	}

	/** The screen of an order, by WooCommerce's own name for it. */
	public static function add_box() {
		$screens = array( 'shop_order' );
		if ( function_exists( 'wc_get_page_screen_id' ) ) {
			$screens[] = wc_get_page_screen_id( 'shop-order' );
		}
		foreach ( array_unique( $screens ) as $screen ) {
			add_meta_box( 'facturapuente', __( 'Electronic factura', 'facturapuente' ), array( __CLASS__, 'show' ), $screen, 'side', 'high' );
		}
	}

	/** Styles of box and column. */
	public static function enqueue() {
		$screen = get_current_screen();
		$order  = function_exists( 'wc_get_page_screen_id' ) ? wc_get_page_screen_id( 'shop-order' ) : 'shop_order';
		if ( $screen && in_array( $screen->id, array( 'shop_order', 'edit-shop_order', $order ), true ) ) {
			wp_enqueue_style( 'facturapuente-admin', plugins_url( 'assets/admin.css', PLUGIN_FILE ), array(), VERSION );
		}
	}

	/**
	 * The box.
	 *
	 * @param \WP_Post|\WC_Order $post_or_order What the screen shows.
	 */
	public static function show( $post_or_order ) {
		$order = $post_or_order instanceof \WC_Order ? $post_or_order : wc_get_order( $post_or_order->ID );
		if ( ! $order instanceof \WC_Order || ! current_user_can( 'edit_shop_orders' ) ) {
			return;
		}
		$state  = Documents::state( $order );
		$colour = '' === $state ? 'pending' : Documents::STATES[ $state ];
		echo '<div class="facturapuente-box">';
		echo '<p><mark class="order-status status-' . esc_attr( $colour ) . '"><span>' . esc_html( Documents::says( $state ) ) . '</span></mark></p>';
		$factura = Documents::factura( $order );
		if ( $factura ) {
			self::show_document( __( 'Factura', 'facturapuente' ), $factura );
		} elseif ( '' !== $state ) {
			self::show_text( Documents::reason( $order, 'factura' ) );
		}
		self::show_text( Documents::advice( $state, $order ) );
		$credit_notes = Documents::credit_notes( $order );
		foreach ( $credit_notes as $note ) {
			self::show_document( __( 'Nota de crédito', 'facturapuente' ), $note );
		}
		if ( $factura && count( $order->get_refunds() ) > count( $credit_notes ) ) {
			self::show_text( Documents::reason( $order, 'nota de crédito' ) );
		}
		self::show_identification( $order );
		$link = Documents::buyer_link( $order );
		if ( '' !== $link ) {
			echo '<p><a href="' . esc_url( $link ) . '" target="_blank" rel="noopener">' . esc_html__( 'Page on which the buyer writes the identification', 'facturapuente' ) . '</a></p>';
		}
		echo '</div>';
	}

	/**
	 * One document.
	 *
	 * @param string $name     Its kind.
	 * @param array  $document Facts.
	 */
	private static function show_document( $name, $document ) {
		echo '<p class="facturapuente-document"><strong>' . esc_html( trim( $name . ' ' . $document['number'] ) ) . '</strong><br>';
		if ( '' !== $document['pdf'] ) {
			echo '<a class="button" href="' . esc_url( $document['pdf'] ) . '" target="_blank" rel="noopener">' . esc_html__( 'PDF', 'facturapuente' ) . '</a> ';
		}
		if ( '' !== $document['xml'] ) {
			echo '<a class="button" href="' . esc_url( $document['xml'] ) . '" target="_blank" rel="noopener">' . esc_html__( 'XML', 'facturapuente' ) . '</a> ';
		}
		$time = strtotime( $document['at'] );
		if ( $time ) {
			/* translators: %s: date and time */
			echo '<br><small>' . esc_html( sprintf( __( 'Authorised on %s', 'facturapuente' ), wp_date( get_option( 'date_format' ) . ' ' . get_option( 'time_format' ), $time ) ) ) . '</small>';
		}
		if ( '' !== $document['key'] ) {
			echo '<br><small class="facturapuente-key">' . esc_html__( 'Access key', 'facturapuente' ) . ' <code>' . esc_html( $document['key'] ) . '</code></small>';
		}
		echo '</p>';
	}

	/**
	 * A text of facturapuente, its addresses as links.
	 *
	 * @param string $text Plain text.
	 */
	private static function show_text( $text ) {
		if ( '' !== $text ) {
			echo '<p>' . wp_kses_post( make_clickable( esc_html( $text ) ) ) . '</p>';
		}
	}

	/**
	 * Whom the order names now.
	 *
	 * @param \WC_Order $order Order.
	 */
	private static function show_identification( $order ) {
		list( $type, $number ) = Order_Identification::of( $order );
		$types                 = Rules::types() + array( Rules::FINAL_CONSUMER => __( 'Consumidor final', 'facturapuente' ) );
		$says                  = '' === $number ? __( 'none; consumidor final up to the limit', 'facturapuente' ) : trim( ( isset( $types[ $type ] ) ? $types[ $type ] : '' ) . ' ' . $number );
		echo '<p>' . esc_html__( 'Identification of the buyer:', 'facturapuente' ) . ' <strong>' . esc_html( $says ) . '</strong></p>';
		if ( '' !== $number ) {
			$flaw = Rules::flaw( $type, $number, false, Order_Identification::phones( $order ), Order_Identification::company_of( $order ) );
			if ( '' !== $flaw ) {
				echo '<p class="facturapuente-flaw">' . esc_html( $flaw ) . '</p>';
			}
		}
	}
}
