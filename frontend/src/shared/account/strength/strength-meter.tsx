import { useTranslation } from 'react-i18next';
import type account from '../locales/en';
import type { PasswordEvaluation } from './password-evaluator';
import './strength-meter.css';

type WeaknessReason = keyof (typeof account)['strength']['reasons'];

const LEVELS = [1, 2, 3, 4];
const toneByLevel = ['danger', 'danger', 'warning', 'success', 'success'] as const;

/**
 * Shows the strength of a new password as text and as a bar, and what makes it weak. Shows the minimum length while the
 * password is too short.
 */
export function StrengthMeter({ evaluation, help }: { evaluation: PasswordEvaluation | null; help: string }) {
  const { t } = useTranslation('account');
  const level = evaluation && levelOf(evaluation);
  return (
    <>
      {level !== null && (
        <span aria-hidden="true" className={`z-strength z-strength-${toneByLevel[level]}`}>
          {LEVELS.map((barLevel) => (
            <span key={barLevel} className={barLevel <= level ? 'z-strength-on' : undefined} />
          ))}
        </span>
      )}
      <span role="status">
        {level === null ? (
          help
        ) : (
          <>
            <strong>{t(level < 3 ? 'strength.weak' : level === 3 ? 'strength.good' : 'strength.strong')}</strong>{' '}
            {evaluation?.rejection && t(`strength.reasons.${reasonOf(evaluation)}`)} {level < 3 && t('strength.advice')}
          </>
        )}
      </span>
    </>
  );
}

/** Steps of the bar, 1 to 4. Passwords that would be rejected never have more than two. */
const levelOf = ({ rejection, score }: PasswordEvaluation): number =>
  rejection ? Math.min(Math.max(score, 1), 2) : score;

/** Maps zxcvbn warnings to the reasons we have texts for. */
const reasonByWarning: Record<string, WeaknessReason> = {
  straightRow: 'keyboard',
  keyPattern: 'keyboard',
  simpleRepeat: 'repeat',
  extendedRepeat: 'repeat',
  sequences: 'sequence',
  recentYears: 'year',
  dates: 'date',
  topTen: 'common',
  topHundred: 'common',
  common: 'common',
  similarToCommon: 'similar',
  wordByItself: 'word',
  namesByThemselves: 'name',
  commonNames: 'name',
  userInputs: 'own',
};

function reasonOf({ rejection, warning }: PasswordEvaluation): WeaknessReason {
  if (rejection === 'common' || rejection === 'own') return rejection;
  return (warning && reasonByWarning[warning]) || 'guessable';
}
