import { useTranslation } from 'react-i18next';
import { useFacts } from '../../../shared/site/facts';
import { Told } from '../../../shared/site/told';

const names = ['creators', 'files', 'people'] as const;

/** Counts of this installation; the server leaves out those that are too small, and without any there is no section. */
export function Figures() {
  const { t } = useTranslation('landing');
  const facts = useFacts();
  return (
    <Told of={names}>
      <section className="z-band" aria-labelledby="figures">
        <h2 id="figures">{t('figures.title')}</h2>
        <dl className="z-figures">
          {names.map((name) => (
            <Told key={name} of={[name]}>
              <div>
                <dt>{t(`figures.${name}`)}</dt>
                <dd>{facts[name]}</dd>
              </div>
            </Told>
          ))}
        </dl>
      </section>
    </Told>
  );
}
