import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { renderComponent } from '../../../../test/render';
import { PasswordField } from '../../ui/fields/password-field';
import { NewPasswordField } from '../new-password-field';
import { createPasswordEvaluator, type EvaluationResponse, type EvaluationRequest } from './password-evaluator';
import type { PasswordOwner } from './password-evaluator';

const evaluate = createPasswordEvaluator();
const originalWorker = globalThis.Worker;
const createdWorkers: InlineWorker[] = [];

/** Runs in the page what the worker would run. */
class InlineWorker {
  isTerminated = false;
  private listener: (event: { data: EvaluationResponse }) => void = () => undefined;

  constructor() {
    createdWorkers.push(this);
  }
  addEventListener(_type: string, listener: InlineWorker['listener']) {
    this.listener = listener;
  }
  postMessage(question: EvaluationRequest) {
    queueMicrotask(() => this.listener({ data: evaluate(question) }));
  }
  terminate() {
    this.isTerminated = true;
  }
}

beforeEach(() => {
  createdWorkers.length = 0;
  globalThis.Worker = InlineWorker as unknown as typeof Worker;
});
afterEach(() => {
  globalThis.Worker = originalWorker;
});

const kadriye: PasswordOwner = {
  email: 'kadriye.mutlubas@ornek.example',
  firstName: 'Kadriye',
  lastName: 'Mutlubaş',
  username: 'kadriyem',
};

function TestField({ owner = kadriye }: { owner?: PasswordOwner }) {
  const [value, setValue] = useState('');
  const field = {
    id: 'new',
    name: 'new',
    value,
    onChange: (event: { target: { value: string } }) => setValue(event.target.value),
  };
  return <NewPasswordField Field={PasswordField} {...field} label="New password" owner={owner} />;
}

/** The strength text, which is also announced to screen readers. */
const getStrengthText = () => document.querySelector<HTMLElement>('#new-note [role="status"]')!;

async function typePassword(password: string, language: 'en' | 'tr' = 'en') {
  const { user } = await renderComponent(<TestField />, { language });
  await user.type(screen.getByLabelText('New password'), password);
  return getStrengthText();
}

describe('Password strength indicator', () => {
  it('requires 8 characters first and starts its worker only when the field is used', async () => {
    const { user } = await renderComponent(<TestField />);
    expect(getStrengthText()).toHaveTextContent('At least 8 characters.');
    expect(createdWorkers).toHaveLength(0);
    await user.click(screen.getByLabelText('New password'));
    expect(createdWorkers).toHaveLength(1);
    await user.type(screen.getByLabelText('New password'), 'Passw0r');
    expect(getStrengthText()).toHaveTextContent('At least 8 characters.');
  });

  it.each([
    ['password123', 'Easy to guess. It’s one of the first passwords that attackers try.'],
    ['Passw0rd!', 'Easy to guess. It’s very similar to a common password.'],
    ['12.05.1987', 'Easy to guess. Dates are easy to guess.'],
    ['aaaaaaaaaaaaaaaa', 'Easy to guess. Repeated characters add little strength.'],
    ['asdfghjkl;', 'Easy to guess. Keys next to each other are easy to guess.'],
    ['KadriyeMutlubaş', 'Easy to guess. It contains your name, your email address or the name of this service.'],
    ['kadriyem1987', 'Easy to guess. It contains your name, your email address or the name of this service.'],
    ['Zonary2026', 'Easy to guess. It contains your name, your email address or the name of this service.'],
  ])('explains why %s is weak and how to improve it', async (password, sentence) => {
    const status = await typePassword(password);
    await waitFor(() => expect(status).toHaveTextContent(sentence));
    expect(status).toHaveTextContent('Use several words that aren’t related.');
  });

  it('confirms a strong password', async () => {
    const status = await typePassword('three tall lanterns');
    await waitFor(() => expect(status).toHaveTextContent('Strong password.'));
    expect(status).not.toHaveTextContent('Use several words');
    expect(screen.getByLabelText('New password')).toHaveAccessibleDescription('Strong password.');
  });

  it('is translated into Turkish and recognises Turkish passwords', async () => {
    const status = await typePassword('seniseviyorum1', 'tr');
    await waitFor(() => expect(status).toHaveTextContent('Kolay tahmin edilir.'));
  });

  it('terminates its worker on unmount', async () => {
    const { user, unmount } = await renderComponent(<TestField />);
    await user.click(screen.getByLabelText('New password'));
    unmount();
    expect(createdWorkers.map(({ isTerminated }) => isTerminated)).toEqual([true]);
  });
});
