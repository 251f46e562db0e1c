import { useTranslation } from 'react-i18next';
import { useSite } from '../../../shared/api/use-site';
import { useFormat } from '../../../shared/hooks/use-format';

const names = ['creators', 'files', 'people'] as const;

/** Counts of this installation; the server leaves out those that are too small, and without any there is no section. */
export function Figures() {
  const { t } = useTranslation('landing');
  const format = useFormat();
  const { data: site } = useSite();
  const shown = names.flatMap((name) => {
    const count = site?.figures[name] ?? null;
    return count === null ? [] : [{ name, count }];
  });
  if (shown.length === 0) return null;
  return (
    <section className="z-band" aria-labelledby="figures">
      <h2 id="figures">{t('figures.title')}</h2>
      <dl className="z-figures">
        {shown.map(({ name, count }) => (
          <div key={name}>
            <dt>{t(`figures.${name}`)}</dt>
            <dd>{format.number(count)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
