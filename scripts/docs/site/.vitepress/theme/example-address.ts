/** Where the service of every example is reached; pages show their own service's address in its place. */
export const EXAMPLE_ADDRESS = 'https://api.example.com';
