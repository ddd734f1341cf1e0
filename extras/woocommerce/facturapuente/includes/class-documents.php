<?php
/**
 * The documents of an order, as facturapuente wrote them onto it.
 *
 * @package Facturapuente
 */

namespace Facturapuente;

defined( 'ABSPATH' ) || exit;

/**
 * Reads only. Nothing here is asked of another server.
 */
final class Documents {

	const STATE_META = '_facturapuente_estado';

	/** The states facturapuente writes, with their colour in the list of orders. */
	const STATES = array(
		'AUTORIZADO'      => 'completed',
		'RETENIDO'        => 'on-hold',
		'REVISIÓN MANUAL' => 'on-hold',
		'RECHAZADO'       => 'failed',
		'DESCARTADO'      => 'cancelled',
	);

	/** What facturapuente writes into a private note, and knows again. */
	const REFERENCE = '/\s*Referencia: facturapuente-[0-9a-f]{12}\./';

	/**
	 * The state, or '' where facturapuente has written none. Two writers at once can leave two rows of it.
	 *
	 * @param \WC_Order $order Order.
	 * @return string
	 */
	public static function state( $order ) {
		$states = array();
		foreach ( (array) $order->get_meta( self::STATE_META, false ) as $row ) {
			$value = is_object( $row ) && isset( $row->value ) ? $row->value : null;
			if ( is_string( $value ) && isset( self::STATES[ $value ] ) ) {
				$states[] = $value;
			}
		}
		return in_array( 'AUTORIZADO', $states, true ) ? 'AUTORIZADO' : (string) end( $states );
	}

	/**
	 * A state in the reader's language.
	 *
	 * @param string $state State.
	 * @return string
	 */
	public static function says( $state ) {
		$words = array(
			''                => __( 'None yet', 'facturapuente' ),
			'AUTORIZADO'      => __( 'Authorised', 'facturapuente' ),
			'RETENIDO'        => __( 'Held', 'facturapuente' ),
			'REVISIÓN MANUAL' => __( 'Manual review', 'facturapuente' ),
			'RECHAZADO'       => __( 'Rejected', 'facturapuente' ),
			'DESCARTADO'      => __( 'Discarded', 'facturapuente' ),
		);
		return isset( $words[ $state ] ) ? $words[ $state ] : $state;
	}

	/**
	 * What a person does about a state.
	 *
	 * @param string    $state State.
	 * @param \WC_Order $order Order.
	 * @return string
	 */
	public static function advice( $state, $order ) {
		switch ( $state ) {
			case 'AUTORIZADO':
				return '';
			case 'RETENIDO':
				return __( 'Correct the order and save it: facturapuente reads it again within minutes. Cédula, RUC and passport are edited under Billing, with the pencil.', 'facturapuente' );
			case 'REVISIÓN MANUAL':
			case 'RECHAZADO':
				return __( 'Decide in the panel of facturapuente; saving the order does not send this document again.', 'facturapuente' );
			case 'DESCARTADO':
				return __( 'No factura leaves for this order unless somebody asks for it in the panel of facturapuente.', 'facturapuente' );
			default:
				return $order->is_paid()
					? __( 'facturapuente has not written anything yet. A factura appears here within minutes after the payment.', 'facturapuente' )
					: __( 'The factura appears here once the order is paid.', 'facturapuente' );
		}
	}

	/**
	 * The factura of an order, null before it is authorised.
	 *
	 * @param \WC_Order $order Order.
	 * @return array{number: string, pdf: string, xml: string, key: string, at: string}|null
	 */
	public static function factura( $order ) {
		if ( 'AUTORIZADO' !== self::state( $order ) ) {
			return null;
		}
		return array(
			'number' => self::text( $order->get_meta( '_facturapuente_numero' ) ),
			'pdf'    => self::link( $order->get_meta( '_facturapuente_pdf' ) ),
			'xml'    => self::link( $order->get_meta( '_facturapuente_xml' ) ),
			'key'    => self::text( $order->get_meta( '_facturapuente_clave_acceso' ) ),
			'at'     => self::text( $order->get_meta( '_facturapuente_autorizado_en' ) ),
		);
	}

	/**
	 * Its notas de crédito.
	 *
	 * @param \WC_Order $order Order.
	 * @return array[] Each as factura().
	 */
	public static function credit_notes( $order ) {
		$notes = array();
		$list  = $order->get_meta( '_facturapuente_notas_credito' );
		foreach ( is_array( $list ) ? $list : array() as $entry ) {
			$entry = is_object( $entry ) ? get_object_vars( $entry ) : $entry;
			if ( ! is_array( $entry ) ) {
				continue;
			}
			$entry  += array_fill_keys( array( 'numero', 'pdf', 'xml', 'clave_acceso', 'autorizado_en' ), '' );
			$notes[] = array(
				'number' => self::text( $entry['numero'] ),
				'pdf'    => self::link( $entry['pdf'] ),
				'xml'    => self::link( $entry['xml'] ),
				'key'    => self::text( $entry['clave_acceso'] ),
				'at'     => self::text( $entry['autorizado_en'] ),
			);
		}
		return $notes;
	}

	/**
	 * Where the buyer of a held order says whom the factura is to name; '' when nobody is asked.
	 *
	 * @param \WC_Order $order Order.
	 * @return string
	 */
	public static function buyer_link( $order ) {
		return self::link( $order->get_meta( '_facturapuente_enlace_comprador' ) );
	}

	/**
	 * Why a document waits: the newest private note of facturapuente about it.
	 *
	 * @param \WC_Order $order Order.
	 * @param string    $named 'factura' or 'nota de crédito'.
	 * @return string Plain text.
	 */
	public static function reason( $order, $named ) {
		$notes = wc_get_order_notes(
			array(
				'order_id' => $order->get_id(),
				'type'     => 'internal',
				'orderby'  => 'id',
				'order'    => 'DESC',
				'limit'    => 50,
			)
		);
		foreach ( $notes as $note ) {
			$text = html_entity_decode( wp_strip_all_tags( $note->content ), ENT_QUOTES, 'UTF-8' );
			if ( 0 === strpos( $text, 'La ' . $named . ' electrónica' ) && preg_match( self::REFERENCE, $text, $found, PREG_OFFSET_CAPTURE ) ) {
				return trim( substr( $text, 0, $found[0][1] ) );
			}
		}
		return '';
	}

	/**
	 * A value as text.
	 *
	 * @param mixed $value Value.
	 * @return string
	 */
	private static function text( $value ) {
		return is_scalar( $value ) ? trim( (string) $value ) : '';
	}

	/**
	 * A value as an address of the web; '' for anything else.
	 *
	 * @param mixed $value Value.
	 * @return string
	 */
	private static function link( $value ) {
		$text = self::text( $value );
		return preg_match( '#^https?://#i', $text ) ? esc_url_raw( $text ) : '';
	}
}
