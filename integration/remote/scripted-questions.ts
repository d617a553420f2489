const COLORS = [
  { label: 'Red', description: 'r' },
  { label: 'Blue', description: 'b' },
];
/** A call of the agent that asks three questions: several choices, one choice, and a text. */
export const QUESTIONS = {
  name: 'ask_user',
  args: {
    questions: [
      {
        question: 'Pick colors',
        header: 'Color',
        type: 'choice',
        multiSelect: true,
        options: COLORS,
      },
      { question: 'Which size?', header: 'Size', type: 'choice', options: COLORS },
      { question: 'What name?', header: 'Name', type: 'text', placeholder: 'a name' },
    ],
  },
};
