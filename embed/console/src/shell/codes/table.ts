// What the API says in English sentences, by what each of them is in the words of the
// console. A test holds the tables against the sources of the service.

/** The sentence as it begins or is, and the key of its words; its groups are the values. */
export type Table = readonly (readonly [RegExp, string])[];
