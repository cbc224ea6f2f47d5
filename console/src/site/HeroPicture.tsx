// What the product does, drawn in its own shapes: a campaign as it goes, by network, the quote that was confirmed, and the
// calls beside the messages. An illustration: the figures are made up, and screen readers are spared them.
import styles from "./HeroPicture.module.css";
import { Icon } from "./Icon";

const FIGURES = [
  ["Recipients", "2,431"],
  ["Delivered", "2,309"],
  ["Failed", "34"],
];

/** Name, share delivered and share failed, in per cent. */
const NETWORKS = [
  ["MTN", 96, 1],
  ["Airtel", 95, 2],
  ["Glo", 93, 2],
  ["9mobile", 90, 3],
] as const;

const QUOTE = [
  ["Total Contacts", "2,431"],
  ["Duplicate removed", "38"],
  ["Pages", "1"],
];

export function HeroPicture() {
  return (
    <div className={styles.picture} aria-hidden="true">
      <div className={styles.window}>
        <div className={styles.head}>
          <strong>Dear parent, school closes at 12:00 tomorrow.</strong>
          <span className={styles.state}>Sending</span>
        </div>
        <Bar delivered={95} failed={1.4} tall />
        <div className={styles.figures}>
          {FIGURES.map(([name, value]) => (
            <div key={name}>
              <span>{name}</span>
              <b>{value}</b>
            </div>
          ))}
        </div>
        {NETWORKS.map(([name, delivered, failed]) => (
          <div key={name} className={styles.network}>
            <span>{name}</span>
            <Bar delivered={delivered} failed={failed} />
            <span>{delivered}%</span>
          </div>
        ))}
        <div className={styles.call}>
          <Icon name="answered" size={18} />
          <span>1,204 calls answered</span>
        </div>
      </div>
      <div className={styles.quote}>
        <strong>Your quote</strong>
        {QUOTE.map(([name, value]) => (
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
    </div>
  );
}

function Bar({ delivered, failed, tall }: { delivered: number; failed: number; tall?: boolean }) {
  return (
    <span className={tall ? styles.tall : styles.bar}>
      <i style={{ width: `${delivered}%` }} />
      <u style={{ width: `${failed}%` }} />
    </span>
  );
}
