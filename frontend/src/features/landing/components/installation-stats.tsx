import { useTranslation } from 'react-i18next';
import { useSiteFacts } from '../../../shared/site/site-facts';
import { ShowIfKnown } from '../../../shared/site/show-if-known';

const statNames = ['creators', 'files', 'people'] as const;

/** Statistics of this installation; the server omits small numbers, and without any the section is hidden. */
export function InstallationStats() {
  const { t } = useTranslation('landing');
  const stats = useSiteFacts();
  return (
    <ShowIfKnown anyOf={statNames}>
      <section className="z-band" aria-labelledby="figures">
        <h2 id="figures">{t('figures.title')}</h2>
        <dl className="z-figures">
          {statNames.map((name) => (
            <ShowIfKnown key={name} anyOf={[name]}>
              <div>
                <dt>{t(`figures.${name}`)}</dt>
                <dd>{stats[name]}</dd>
              </div>
            </ShowIfKnown>
          ))}
        </dl>
      </section>
    </ShowIfKnown>
  );
}
