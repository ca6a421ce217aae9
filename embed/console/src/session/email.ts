/** What keeps a text from being the new address of a person; null: nothing. The API decides in the end. */
export function emailProblem(text: string, before: string): 'missing' | 'same' | null {
  const email = text.trim();
  if (!/^\S+@\S+$/.test(email)) return 'missing';
  return email.toLowerCase() === before.toLowerCase() ? 'same' : null;
}
