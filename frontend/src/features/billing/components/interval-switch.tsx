import { useTranslation } from 'react-i18next';
import type { BillingInterval } from '../use-checkout';

const intervals: readonly BillingInterval[] = ['monthly', 'yearly'];

/** Switches all prices between monthly and yearly. */
export function IntervalSwitch({
  value,
  onChange,
}: {
  value: BillingInterval;
  onChange: (interval: BillingInterval) => void;
}) {
  const { t } = useTranslation('billing');
  return (
    <fieldset className="z-intervals">
      <legend className="z-visually-hidden">{t('interval.label')}</legend>
      <div className="z-intervals-row">
        {intervals.map((interval) => (
          <label key={interval}>
            <input
              type="radio"
              name="interval"
              value={interval}
              checked={value === interval}
              onChange={() => onChange(interval)}
            />
            <span>{t(`interval.${interval}`)}</span>
          </label>
        ))}
      </div>
      <span className="z-badge z-badge-success">{t('interval.save')}</span>
    </fieldset>
  );
}
