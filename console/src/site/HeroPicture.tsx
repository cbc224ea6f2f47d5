// What the product does, drawn in its own shapes: a message on a phone, and the quote behind it. An illustration: the
// figures are made up, and screen readers are spared them.
import styles from "./HeroPicture.module.css";
import { Icon } from "./Icon";

const ROWS = [
  ["Total Contacts", "2,431"],
  ["Duplicate removed", "38"],
  ["Pages", "1"],
  ["Campaign Start", "Sending Now"],
];

export function HeroPicture() {
  return (
    <div className={styles.picture} aria-hidden="true">
      <div className={styles.phone}>
        <div className={styles.sender}>
          <span>G</span>
          GreenSchool
        </div>
        <p className={styles.bubble}>Dear parent, school closes at 12:00 tomorrow. Buses leave at 12:15.</p>
        <p className={styles.time}>Delivered 14:02</p>
      </div>
      <div className={styles.quote}>
        <strong>Your quote</strong>
        {ROWS.map(([name, value]) => (
          <div key={name} className={styles.row}>
            <span>{name}</span>
            <span>{value}</span>
          </div>
        ))}
        <div className={styles.total}>
          <span>Total charge</span>
          <span>₦10,939.50</span>
        </div>
      </div>
      <div className={styles.receipt}>
        <Icon name="check" size={18} /> 2,419 delivered, 12 refunded
      </div>
    </div>
  );
}
